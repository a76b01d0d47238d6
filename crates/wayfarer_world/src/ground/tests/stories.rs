//! Small worlds with a point: towers, bridges, ladders, doors.
