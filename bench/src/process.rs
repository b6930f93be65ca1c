//! Processor time and memory of processes, from `/proc`.

use std::fs;
use std::time::Duration;

/// The ticks of `/proc` per second, the same on every Linux.
const TICKS: u64 = 100;

/// Processor time of a process, not of its children.
pub fn cpu(pid: u32) -> Duration {
    fs::read_to_string(format!("/proc/{pid}/stat")).ok().map_or(Duration::ZERO, |stat| read(&stat).own)
}

/// Processor time of a process and of all children that it has or had.
pub fn cpu_of_family(pid: u32) -> Duration {
    let processes = fs::read_dir("/proc").into_iter().flatten().filter_map(|entry| {
        let name = entry.ok()?.file_name();
        let other: u32 = name.to_str()?.parse().ok()?;
        let stat = read(&fs::read_to_string(format!("/proc/{other}/stat")).ok()?);
        match other == pid {
            true => Some(stat.own + stat.past_children),
            false => (stat.parent == pid).then_some(stat.own),
        }
    });
    processes.sum()
}

/// Processor time of the threads of a process that have this name.
pub fn cpu_of_thread_named(pid: u32, name: &str) -> Duration {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().filter_map(|entry| {
        let thread = entry.ok()?.path();
        let is_named = fs::read_to_string(thread.join("comm")).ok()?.trim_end() == name;
        is_named.then(|| fs::read_to_string(thread.join("stat")).ok().map(|stat| read(&stat).own)).flatten()
    });
    threads.sum()
}

/// Processor time of the calling thread, to the nanosecond; of the whole process if the kernel does not report it.
pub fn cpu_of_thread() -> Duration {
    let times = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanos = times.split_whitespace().next().and_then(|field| field.parse().ok());
    nanos.map_or_else(|| cpu(std::process::id()), Duration::from_nanos)
}

/// Memory that a process has in use, in bytes.
pub fn memory(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|rest| rest.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}

struct Stat {
    parent: u32,
    own: Duration,
    past_children: Duration,
}

fn read(stat: &str) -> Stat {
    // The name of the program is in parentheses and may contain anything.
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let fields: Vec<u64> = after_name.split_whitespace().map(|field| field.parse().unwrap_or(0)).collect();
    let field = |n: usize| fields.get(n).copied().unwrap_or(0);
    let time = |ticks: u64| Duration::from_millis(ticks * 1000 / TICKS);
    let parent = u32::try_from(field(1)).unwrap_or(0);
    Stat { parent, own: time(field(11) + field(12)), past_children: time(field(13) + field(14)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_with_a_strange_name_is_read_too() {
        let stat = read("42 (a) b (c) S 7 1 1 0 -1 4194304 100 0 0 0 150 50 10 20 20 0 1 0");
        assert_eq!(stat.parent, 7);
        assert_eq!(stat.own, Duration::from_secs(2));
        assert_eq!(stat.past_children, Duration::from_millis(300));
    }

    #[test]
    fn a_thread_is_found_by_its_name() {
        let work = std::thread::Builder::new().name("burns".into()).spawn(|| {
            let began = std::time::Instant::now();
            while cpu_of_thread_named(std::process::id(), "burns").is_zero() {
                assert!(began.elapsed() < Duration::from_secs(60), "no time passes");
            }
        });
        work.unwrap().join().unwrap();
        assert_eq!(cpu_of_thread_named(std::process::id(), "burns"), Duration::ZERO, "it has ended");
    }

    #[test]
    fn this_very_process_uses_memory() {
        assert!(memory(std::process::id()) > 100_000);
    }

    #[test]
    fn whoever_works_uses_time() {
        let (began, before) = (std::time::Instant::now(), cpu_of_thread());
        // The kernel samples processor time only at intervals.
        while cpu_of_thread() == before {
            assert!(began.elapsed() < Duration::from_secs(60), "no time passes");
        }
    }
}
