"""Shows what happens to large tables while they are imported."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click

from builder.cli.console import echo_findings
from builder.cli.language import get_interface_language
from builder.findings import Finding, has_errors
from builder.messages import Message, translate
from builder.usecases.tables.table_import import ImportMonitor

CLEAR_LINE = "\r\x1b[2K"


class TableMonitor:
    """Reports the progress of a table import: each finding once, and the current step."""

    def __init__(self) -> None:
        self._reported_findings: set[Finding] = set()
        self._has_status = False

    @property
    def import_monitor(self) -> ImportMonitor:
        """The callbacks that an import calls to report progress."""
        return ImportMonitor(self.report_findings, self.show_status)

    def report_findings(self, findings: Sequence[Finding]) -> None:
        """Print the findings that were not printed before."""
        new_findings = [
            item for item in findings if item not in self._reported_findings
        ]
        self._reported_findings.update(new_findings)
        self.clear_status()
        echo_findings(new_findings, err=True)

    def report_remaining(self, findings: Sequence[Finding]) -> int:
        """Print the remaining findings of an import. Return 1 if it has errors, else 0."""
        self.report_findings(findings)
        return int(has_errors(findings))

    def show_status(self, message: Message) -> None:
        """Show the current step as a line of the terminal that the next step replaces."""
        if not sys.stderr.isatty():
            return
        text = translate(message, get_interface_language())
        click.echo(f"{CLEAR_LINE}{text} ...", nl=False, err=True)
        self._has_status = True

    def clear_status(self) -> None:
        """Remove the line with the current step from the terminal."""
        if self._has_status:
            click.echo(CLEAR_LINE, nl=False, err=True)
            self._has_status = False


@contextmanager
def monitor_tables() -> Iterator[TableMonitor]:
    """Provide a monitor during the block. Clear its line at the end, also after an error."""
    monitor = TableMonitor()
    try:
        yield monitor
    finally:
        monitor.clear_status()
