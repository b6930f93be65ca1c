//! Describes the machine and the versions.

use std::path::Path;
use std::process::Command;

/// One line each: processor, memory, disk, versions.
pub fn describe(postgres_bin: &Path) -> Vec<String> {
    let cpu = line_of("/proc/cpuinfo", "model name").unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let memory = line_of("/proc/meminfo", "MemTotal").and_then(|text| text.trim_end_matches(" kB").parse::<f64>().ok());
    let gigabytes = memory.unwrap_or(0.0) / 1024.0 / 1024.0;
    let disk = said("df", &["--output=source,fstype", &std::env::temp_dir().to_string_lossy()]);
    let disk = disk.lines().last().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(", ");
    let postgres = said(&postgres_bin.join("postgres").to_string_lossy(), &["--version"]);
    vec![
        format!("Processor: {cpu}, {cores} cores"),
        format!("Memory: {gigabytes:.0} GiB"),
        format!("Disk of the database: {disk}"),
        format!("Linux {}, {}, {postgres}", said("uname", &["-r"]), said("rustc", &["--version"])),
        format!("Maidan {}", said("git", &["log", "-1", "--format=%h of %cd", "--date=short"])),
    ]
}

fn line_of(file: &str, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split(':').nth(1)?.trim().to_string())
}

fn said(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().ok();
    output.map_or_else(|| "unknown".into(), |output| String::from_utf8_lossy(&output.stdout).trim().to_string())
}
