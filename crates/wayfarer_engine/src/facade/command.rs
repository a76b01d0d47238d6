//! [`Command`]: a change of a world as a value, for journals and replicas, and its bytes.
//!
//! Every call that changes what [`World::save`] stores has its command, so a snapshot and the
//! commands after it give the same bytes as the world they were applied to. Each kind has a tag
//! that never changes; new kinds get new tags, and a reader rejects a tag that it does not know. The
//! encoding is described in `docs/design/journal.md`, the values in
//! `docs/design/snapshot-format.md`.

use std::sync::Arc;

use thiserror::Error;
use wayfarer_base::CostModifierId;
use wayfarer_world::bodies::{BodyId, Footprint, Sensor, SensorEvent, SensorId, ShapeError};

use super::agent::{AgentType, AgentTypeError, AgentTypeId};
use super::attach::AttachError;
use super::change::WorldChanges;
use super::edit::{Edit, EditError};
use super::{LoadError, World};

/// One call that changes what [`World::save`] stores, for [`World::execute`].
///
/// ```
/// use wayfarer_engine::{Command, World};
/// use wayfarer_engine::base::{Cell, GroundEdit, Profile, Terrain};
///
/// let put = GroundEdit::PutCell { cell: Cell::flat(3, 4), terrain: Terrain::GROUND };
/// let command = Command::Apply(vec![put.into()]);
/// assert_eq!(Command::from_bytes(&command.to_bytes())?, command);
///
/// let mut worlds = [(); 2].map(|()| World::new(Profile::DEFAULT).unwrap());
/// for world in &mut worlds {
///     world.execute(command.clone())?;
/// }
/// assert_eq!(worlds[0].save(), worlds[1].save());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Command {
    /// [`World::apply`].
    Apply(Vec<Edit>),
    /// [`World::add_agent_type`].
    AddAgentType(AgentType),
    /// [`World::add_sensor`].
    AddSensor(Sensor),
    /// [`World::remove_sensor`].
    RemoveSensor(SensorId),
    /// [`World::set_sensor_footprint`].
    SetSensorFootprint {
        /// The sensor.
        id: SensorId,
        /// Its new footprint.
        footprint: Footprint,
    },
    /// [`World::update_sensors`].
    UpdateSensors,
    /// [`World::attach_cost_modifier`].
    AttachCostModifier {
        /// The cost modifier.
        id: CostModifierId,
        /// The body that carries it.
        body: BodyId,
    },
    /// [`World::detach_cost_modifier`].
    DetachCostModifier(CostModifierId),
}

/// What a command returned.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum CommandResult {
    /// The changes of a batch.
    Changes(Arc<WorldChanges>),
    /// The id of the agent type.
    AgentType(AgentTypeId),
    /// The id of the sensor.
    Sensor(SensorId),
    /// The events of the sensors.
    SensorEvents(Vec<SensorEvent>),
    /// The body that the cost modifier was detached from, if any.
    Detached(Option<BodyId>),
    /// Whether the sensor exists.
    SensorExists(bool),
    /// Nothing to report.
    Done,
}

/// A command that the world refused; it is unchanged.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum CommandError {
    /// An invalid edit.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// An invalid agent type.
    #[error(transparent)]
    AgentType(#[from] AgentTypeError),
    /// A sensor out of range.
    #[error(transparent)]
    Sensor(#[from] ShapeError),
    /// A cost modifier or body that does not exist.
    #[error(transparent)]
    Attach(#[from] AttachError),
}

impl Command {
    /// The command as bytes, equal on every platform. Profiles are
    /// [normalized](wayfarer_base::Profile::normalized), as the world does.
    pub fn to_bytes(&self) -> Vec<u8> {
        super::snapshot::encode(self)
    }

    /// The command of [`Command::to_bytes`].
    ///
    /// # Errors
    /// The bytes are damaged, or of a kind of command that a later version added; names the offset.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, LoadError> {
        Ok(super::snapshot::decode(bytes)?)
    }
}

impl World {
    /// Runs a command: the call that it stands for.
    ///
    /// # Errors
    /// Those of the call; the world is unchanged then.
    pub fn execute(&mut self, command: Command) -> Result<CommandResult, CommandError> {
        Ok(match command {
            Command::Apply(edits) => CommandResult::Changes(self.apply(edits)?),
            Command::AddAgentType(agent_type) => {
                CommandResult::AgentType(self.add_agent_type(agent_type)?)
            }
            Command::AddSensor(sensor) => CommandResult::Sensor(self.add_sensor(sensor)?),
            Command::RemoveSensor(id) => CommandResult::SensorExists(self.remove_sensor(id)),
            Command::SetSensorFootprint { id, footprint } => {
                CommandResult::SensorExists(self.set_sensor_footprint(id, footprint)?)
            }
            Command::UpdateSensors => {
                let mut events = Vec::new();
                self.update_sensors(&mut events);
                CommandResult::SensorEvents(events)
            }
            Command::AttachCostModifier { id, body } => {
                self.attach_cost_modifier(id, body)?;
                CommandResult::Done
            }
            Command::DetachCostModifier(id) => {
                CommandResult::Detached(self.detach_cost_modifier(id))
            }
        })
    }
}

#[cfg(test)]
mod tests;
