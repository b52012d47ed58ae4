//! What data decides, and findings of one program put together.

use super::build::*;
use crate::*;

/// What holds only for some data is a remark with its condition.
#[test]
fn data_makes_remarks_of_errors() {
    let mut build = Build::new(2);
    build.at(0, 10, write(0));
    build.at(1, 20, write(0)).may = true;
    let report = checked(&build);
    assert!(matches!(
        report.findings[..],
        [Finding {
            code: 203,
            severity: Severity::Remark { .. },
            ..
        }]
    ));
    // A notify that may not come: not an error, but the wait may starve.
    let mut build = Build::new(2);
    build.at(0, 10, wait(0, 0, Cmp::Ge, 1));
    build.at(1, 20, add(0, 0, 1)).may = true;
    let report = checked(&build);
    assert!(matches!(
        report.findings[..],
        [Finding {
            code: 204,
            severity: Severity::Remark { .. },
            ..
        }]
    ));
    // Even with it the count is short: an error.
    build.at(0, 30, wait(0, 0, Cmp::Ge, 2));
    assert_eq!(found(&build), [(204, 30, None)]);
}

/// An error in one of two ways through the data is a remark that names the way; in both it is an
/// error.
#[test]
fn scenarios_are_merged() {
    let way = |text: &str, stuck: bool| {
        let mut build = Build::new(2);
        if stuck {
            build.at(0, 10, wait(0, 0, Cmp::Ge, 1));
        }
        build.0.choices = vec![Choice {
            site: SiteId(0),
            rank: None,
            text: text.to_string(),
        }];
        build.0
    };
    let severities = |ways: [Skeleton; 2]| {
        let report = check(&ways, &Limits::default());
        report
            .findings
            .into_iter()
            .map(|finding| finding.severity)
            .collect::<Vec<_>>()
    };
    let condition = "the branch is taken".to_string();
    let taken = || way("the branch is taken", true);
    assert_eq!(
        severities([taken(), way("it is not", false)]),
        [Severity::Remark { condition }]
    );
    assert_eq!(
        severities([taken(), way("it is not", true)]),
        [Severity::Error]
    );
}

/// One mistake at several sizes is one finding.
#[test]
fn sizes_are_merged() {
    let sizes: Vec<Skeleton> = (1..5).map(|world| staged([10, 30, 20], world).0).collect();
    let report = check(&sizes, &Limits::default());
    assert_eq!(report.findings.len(), 1);
    assert_eq!(
        (report.findings[0].world, &report.findings[0].also_at[..]),
        (2, &[3, 4][..])
    );
}

/// Beyond a limit the check says so and claims nothing.
#[test]
fn limits_leave_the_report_incomplete() {
    let program = staged([10, 30, 20], 2).0;
    let report = check(
        &[program],
        &Limits {
            steps: 3,
            states: 1,
        },
    );
    assert!(report.incomplete && report.findings.is_empty());
    let mut build = Build::new(3);
    build.at(0, 30, wait(0, 0, Cmp::Le, 1));
    build.at(1, 10, set(0, 0, 1));
    build.at(2, 10, set(0, 0, 2));
    let report = check(
        &[build.0],
        &Limits {
            steps: 1000,
            states: 1,
        },
    );
    assert!(report.incomplete);
}

/// The shortest schedule of a race leaves out who has nothing to do with it.
#[test]
fn a_schedule_holds_only_what_is_needed() {
    let mut build = Build::new(3);
    build.at(2, 40, add(0, 3, 1));
    build.at(0, 10, wait(0, 0, Cmp::Ge, 1));
    build.at(0, 20, read(0));
    build.at(1, 30, add(0, 0, 1));
    build.at(1, 31, write(0));
    let report = checked(&build);
    assert_eq!(report.findings[0].schedule, [1, 0, 0, 1]);
    let table = report.findings[0].table.text();
    assert_eq!(table.lines().count(), 5, "{table}");
    assert!(table.starts_with("rank 0"), "{table}");
}
