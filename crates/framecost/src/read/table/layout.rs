//! How a table is read: its columns' rules turned into what the row reader asks in each row. In: what a format says of a
//! header. Out: a layout, shared by all parts of the file.

use crate::read::format::Head;
use crate::read::log::{Basis, Column, Gap, Role, Zero};
use crate::read::{Keep, Quantity};

/// How a column's fields become cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A decimal number.
    Number,
    /// A text, kept as a number of the column's list of texts.
    Text,
    /// A local date and time, as nanoseconds from the midnight before the file's first row.
    DateTime,
    /// Part of the stream's id; its cells are not kept.
    Key,
}

/// A column and how it is read.
#[derive(Clone, Debug)]
pub(crate) struct ColumnPlan {
    pub(crate) column: Column,
    pub(crate) kind: Kind,
    /// A field that does not fit sets the row aside; else it is only [`Gap::Unparsable`].
    pub(crate) strict: bool,
    /// Kept in full whatever the caller keeps: the reader needs its rows at the end.
    pub(crate) needed: bool,
}

/// How a row says whether its present was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// The format does not say: every row counts as shown.
    Unsaid,
    /// That column is 0.
    ZeroIn(usize),
    /// That column has a value.
    ValueIn(usize),
}

/// A table's shape and rules.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) columns: Vec<ColumnPlan>,
    /// Between fields.
    pub(crate) separator: u8,
    /// Numbers have a comma for a point; only where the separator is none.
    pub(crate) decimal_comma: bool,
    /// Fields may stand in quotes.
    pub(crate) quotes: bool,
    /// The fewest fields that a row may have; what is behind them is [`Gap::NotWritten`].
    pub(crate) fewest: usize,
    /// The most fields that a row may have; what is past the columns is ignored.
    pub(crate) most: usize,
    /// Further numbers of fields that a row may have, from and to: some tools put the machine's description behind the first row.
    pub(crate) longer: (usize, usize),
    /// The application's name where no column has it.
    pub(crate) application: String,
    /// How a row says whether it was shown.
    pub(crate) shown: Shown,
    /// The column of frame types, and the texts that mean that the application drew the frame; any other is a generated frame.
    pub(crate) frame_type: Option<(usize, &'static [&'static str])>,
    /// The columns that are all 0 or missing where the row's GPU work was not seen.
    pub(crate) gpu: Vec<usize>,
    pub(crate) basis: Basis,
    /// Lines that begin so are notes of the tool, not rows.
    pub(crate) notes: &'static [&'static str],
    /// The days since 1970 of the midnight that date columns count from.
    pub(crate) day: i64,
}

impl Layout {
    /// A layout of these columns with the commonest shape: the head's separator, no quotes, each row as long as the header.
    pub(crate) fn new(head: &Head<'_>, columns: Vec<ColumnPlan>, basis: Basis) -> Self {
        let fields = columns.len();
        Self {
            columns,
            separator: head.separator,
            decimal_comma: head.has_decimal_commas(),
            quotes: false,
            fewest: fields,
            most: fields,
            longer: (1, 0),
            application: String::new(),
            shown: Shown::Unsaid,
            frame_type: None,
            gpu: Vec::new(),
            basis,
            notes: &[],
            day: 0,
        }
    }

    /// The place of the first column with that role.
    pub(crate) fn place(&self, role: Role) -> Option<usize> {
        self.columns.iter().position(|plan| plan.column.role == role)
    }

    /// Marks what is kept in full: what the caller asks for, and what the reader itself needs.
    pub(crate) fn keep(&mut self, keep: &Keep) {
        let Basis { time, interval, .. } = self.basis;
        for (place, plan) in self.columns.iter_mut().enumerate() {
            let asked = keep.wants(plan.column.role) || Some(place) == time || Some(place) == interval;
            plan.needed |= asked || plan.column.missing.needs_previous;
        }
    }
}

/// How a field becomes a cell, as the row reader asks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A decimal number, nearly always.
    Number,
    /// A text.
    Text,
    /// Part of the stream's id.
    Key,
    /// Anything that is rare: dates, decimal commas.
    Odd,
}

/// What the row reader asks of a column in every row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule {
    pub(super) step: Step,
    /// The code of a zero, 0 where it is a value.
    pub(super) zero: u8,
    /// The code of `NA`, the commonest text for "missing"; 0 where it is none.
    pub(super) na: u8,
}

/// The rules of a layout by what sets them off, so that a row asks only where they may apply.
#[derive(Debug)]
pub(super) struct Rules {
    /// By column, close together.
    pub(super) steps: Vec<Rule>,
    pub(super) unless_displayed: Vec<usize>,
    pub(super) unless_generated: Vec<usize>,
    /// Places of columns whose zeros depend on the GPU, with the code where it was seen and where it was not.
    pub(super) by_gpu: Vec<(usize, u8, u8)>,
    /// Columns kept in full, and columns that are added up.
    pub(super) kept: Vec<usize>,
    pub(super) summed: Vec<usize>,
    /// The columns of the stream's id in the order application, process, swap chain.
    pub(super) key: [Option<usize>; 3],
    /// Whether those columns are the first ones of the line: so many.
    pub(super) leading: Option<usize>,
    pub(super) runtime: Option<usize>,
}

impl Rules {
    pub(super) fn of(layout: &Layout) -> Self {
        let all = || layout.columns.iter().enumerate();
        let with =
            |test: fn(&ColumnPlan) -> bool| all().filter(|it| test(it.1)).map(|it| it.0).collect::<Vec<_>>();
        let na =
            |plan: &ColumnPlan| code(plan.column.missing.texts.iter().find(|it| it.0 == "NA").map(|it| it.1));
        let zero = |plan: &ColumnPlan| match plan.column.missing.zero {
            Zero::Gap(gap) => gap as u8,
            Zero::Value | Zero::ByGpu { .. } => 0,
        };
        let step = |kind: Kind| match kind {
            Kind::Number if layout.decimal_comma => Step::Odd,
            Kind::Number => Step::Number,
            Kind::Text => Step::Text,
            Kind::DateTime => Step::Odd,
            Kind::Key => Step::Key,
        };
        let rule = |plan: &ColumnPlan| Rule { step: step(plan.kind), zero: zero(plan), na: na(plan) };
        let by_gpu = |(place, plan): (usize, &ColumnPlan)| match plan.column.missing.zero {
            Zero::ByGpu { seen, unseen } => Some((place, code(seen), unseen as u8)),
            Zero::Value | Zero::Gap(_) => None,
        };
        let key = [Role::Application, Role::Process, Role::SwapChain].map(|role| layout.place(role));
        let parts: Vec<usize> = key.into_iter().flatten().collect();
        let leads = !parts.is_empty() && parts.iter().copied().eq(0..parts.len());
        Self {
            steps: layout.columns.iter().map(rule).collect(),
            unless_displayed: with(|plan| plan.column.missing.unless_displayed),
            unless_generated: with(|plan| plan.column.missing.unless_generated),
            by_gpu: all().filter_map(by_gpu).collect(),
            kept: with(|plan| plan.needed && plan.kind != Kind::Key),
            summed: with(|plan| plan.kind != Kind::Key && plan.kind != Kind::Text),
            key,
            leading: leads.then_some(parts.len()),
            runtime: layout.place(Role::Runtime),
        }
    }
}

/// The code of a gap, 0 for none.
pub(super) const fn code(gap: Option<Gap>) -> u8 {
    match gap {
        Some(gap) => gap as u8,
        None => 0,
    }
}

impl Keep {
    /// Nothing but what the reader itself needs: time, frame times and what its rules look at.
    pub const LEAST: Self = Self::Only(Vec::new());

    /// Whether the cells of a column with that role are asked for.
    pub(crate) fn wants(&self, role: Role) -> bool {
        match self {
            Self::All => true,
            Self::Only(quantities) => matches!(role, Role::Of(quantity) if quantities.contains(&quantity)),
        }
    }

    /// These quantities, and what the reader itself needs.
    #[must_use]
    pub fn only(quantities: &[Quantity]) -> Self {
        Self::Only(quantities.to_vec())
    }
}
