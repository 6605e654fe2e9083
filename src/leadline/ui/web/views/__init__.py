"""What people ask of a store, answered from what was read of it: functions that decide nothing."""
