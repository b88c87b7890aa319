//! The whole path on a real adapter, the software one where there is no other.

#[test]
fn look() {
    for report in framecost_wgpu::adapters() {
        for trial in &report.trials {
            println!(
                "{:?} tries {} took {:?} step {:?} verdict {:?}",
                trial.method, trial.tries, trial.took, trial.step, trial.verdict
            );
            for row in &trial.rows {
                println!("  {:?} {} stamped {:?} due {}", row.work, row.size, row.stamped, row.due);
            }
        }
    }
}
