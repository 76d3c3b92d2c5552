// Takes the place of `collider_shares` where every particle has one thread: drivers take long over what is never called.

fn find_shell_planes(local: u32, wanted: bool, sweep: Sweep) {}
