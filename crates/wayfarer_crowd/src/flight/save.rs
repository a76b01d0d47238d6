//! A flock as bytes, as a crowd is saved: a loaded one goes on to the bit.

use super::flock::{Flock, Flyer, Member};
use super::orca::MovingBall;
use super::vector::Vec3;
use crate::bytes::{Reader, Writer};
use crate::crowd::CrowdOptions;
use crate::save::{LoadError, STATES};

impl Flock {
    /// Appends the state to bytes. Options are left out.
    pub fn save(&self, bytes: &mut Vec<u8>) {
        let mut out = Writer(bytes);
        out.long(self.n_ticks);
        out.word(u32::from(self.has_changed_places));
        out.count(self.free.len());
        self.free.iter().for_each(|slot| out.word(*slot));
        out.count(self.members.len());
        for (generation, member) in self.generations.iter().zip(&self.members) {
            out.word(*generation);
            out.maybe(member.as_ref(), put_member);
        }
    }

    /// A flock from the front of bytes, which are taken.
    ///
    /// # Errors
    /// The bytes end, or a value is out of range.
    pub fn load(bytes: &mut &[u8], options: CrowdOptions) -> Result<Self, LoadError> {
        let mut source = Reader(bytes);
        let what = "the flock ends early or a value is out of range";
        let flock = Self::read(&mut source, options).ok_or(LoadError { what })?;
        *bytes = source.0;
        Ok(flock)
    }

    fn read(source: &mut Reader<'_>, options: CrowdOptions) -> Option<Self> {
        let tick_seconds = options.tick_seconds;
        let mut flock = Self::new(options).ok()?;
        flock.n_ticks = source.long()?;
        flock.has_changed_places = source.flag()?;
        for _ in 0..source.count(4)? {
            flock.free.push(source.word()?);
        }
        for _ in 0..source.count(8)? {
            flock.generations.push(source.word()?);
            let member = source.maybe(|source| take_member(source, tick_seconds))?;
            flock.members.push(member);
        }
        let mut free = flock.free.clone();
        free.sort_unstable();
        let gone = (0_u32..).zip(&flock.members);
        let gone = gone.filter(|(_, member)| member.is_none());
        gone.map(|(slot, _)| slot).eq(free).then_some(flock)
    }
}

fn put_member(out: &mut Writer<'_>, member: &Member) {
    let flyer = &member.flyer;
    for number in [
        flyer.radius,
        flyer.max_speed,
        flyer.max_acceleration,
        flyer.turn.0,
        flyer.turn.1,
        member.left_after_next,
        member.least_left,
    ] {
        out.float(number);
    }
    for word in [u32::from(flyer.priority), flyer.layers, flyer.avoids] {
        out.word(word);
    }
    for vector in [
        member.ball.position,
        member.ball.velocity,
        member.remainder,
        member.heading,
        member.preferred,
    ] {
        put_vector(out, vector);
    }
    let state = STATES.iter().position(|state| *state == member.state);
    out.count(state.unwrap_or(0));
    out.count(member.next);
    out.word(member.n_waiting);
    out.maybe(member.aim, put_vector);
    let flight = member.flight.as_deref().unwrap_or_default();
    out.count(flight.len());
    flight.iter().for_each(|at| put_vector(out, *at));
}

fn take_member(source: &mut Reader<'_>, tick_seconds: f64) -> Option<Member> {
    let flyer = Flyer {
        radius: source.float()?,
        max_speed: source.float()?,
        max_acceleration: source.float()?,
        turn: (source.float()?, source.float()?),
        ..Flyer::DEFAULT
    };
    let (left_after_next, least_left) = (source.float()?, source.float()?);
    let flyer = Flyer {
        priority: u8::try_from(source.word()?).ok()?,
        layers: source.word()?,
        avoids: source.word()?,
        ..flyer
    };
    flyer.check(tick_seconds).ok()?;
    let mut vectors = [Vec3::ZERO; 5];
    for vector in &mut vectors {
        *vector = take_vector(source)?;
    }
    let [position, velocity, remainder, heading, preferred] = vectors;
    let state = *STATES.get(source.count(0)?)?;
    let next = source.count(0)?;
    let n_waiting = source.word()?;
    let aim = source.maybe(take_vector)?;
    let n_points = source.count(24)?;
    let mut flight = Vec::new();
    for _ in 0..n_points {
        flight.push(take_vector(source)?);
    }
    if !flight.is_empty() && next >= flight.len() {
        return None;
    }
    Some(Member {
        ball: MovingBall {
            position: position.rounded(),
            velocity,
            radius: flyer.radius,
        },
        flyer,
        remainder,
        heading,
        flight: (!flight.is_empty()).then(|| flight.into()),
        next,
        left_after_next,
        aim,
        state,
        least_left,
        n_waiting,
        preferred,
    })
}

fn put_vector(out: &mut Writer<'_>, vector: Vec3) {
    vector.to_array().into_iter().for_each(|at| out.float(at));
}

fn take_vector(source: &mut Reader<'_>) -> Option<Vec3> {
    let vector = Vec3::new(source.float()?, source.float()?, source.float()?);
    vector.is_finite().then_some(vector)
}
