use super::*;
use crate::units::Scale;

#[test]
fn an_option_that_the_movement_does_not_use_is_named() {
    let frame = Scale::UNIT.frame().unwrap();
    let check = |agent_type: AgentType, option: &str| {
        let error = agent_type.to_engine(frame).unwrap_err();
        assert!(
            error.to_string().starts_with(&format!("`{option}` is set")),
            "{error}"
        );
    };
    check(
        AgentType {
            max_step: 0.2,
            ..AgentType::FLIGHT
        },
        "max_step",
    );
    check(
        AgentType {
            keys: 1,
            ..AgentType::PLANAR
        },
        "keys",
    );
    check(
        AgentType {
            flight_cost: 2.0,
            ..AgentType::GROUND
        },
        "flight_cost",
    );
    check(
        AgentType {
            take_off_cost: 2.0,
            ..AgentType::FLIGHT
        },
        "take_off_cost",
    );
    check(
        AgentType {
            movement: Movement::Flight,
            ..AgentType::GROUND
        },
        "height",
    );
    for agent_type in [
        AgentType::GROUND,
        AgentType::FLIGHT,
        AgentType::GROUND_AND_FLIGHT,
        AgentType::PLANAR,
    ] {
        assert!(agent_type.to_engine(frame).is_ok());
    }
}

#[test]
fn terrain_costs_in_any_order_are_one_type() {
    let frame = Scale::UNIT.frame().unwrap();
    let with = |terrain_costs: Vec<(Terrain, f64)>| {
        AgentType {
            terrain_costs,
            ..AgentType::GROUND
        }
        .to_engine(frame)
    };
    let (swamp, ground) = (Terrain::SWAMP, Terrain::GROUND);
    let sorted = with(vec![(ground, 2.0), (swamp, 3.0)]);
    assert_eq!(
        sorted,
        with(vec![(swamp, 9.0), (swamp, 3.0), (ground, 2.0)])
    );
    let error = with(vec![(swamp, 0.5)]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a terrain cost is 0.5, expected a multiplier from 1 to 4,095"
    );
}

#[test]
fn sizes_are_rounded_so_that_the_agent_never_fits_by_rounding() {
    let frame = Scale {
        step: 0.25,
        ..Scale::meters(0.5)
    }
    .frame()
    .unwrap();
    let person = AgentType {
        max_step: 0.6,
        ..AgentType::GROUND
    }
    .to_engine(frame)
    .unwrap();
    let profile = person.ground.unwrap();
    assert_eq!(profile.radius, Fixed::from_raw(205)); // 0.8 of a cell is 204.8
    assert_eq!(
        (profile.height, profile.max_step, profile.max_drop),
        (8, 2, 2)
    );
}
