"""Tables of the papers, each one declaration. To add one, write its module and name it here."""

from sslviz.tables import thesis_lp, thesis_unlabelled
from sslviz.tables.table import Table

TABLES: dict[str, Table] = {
    module.TABLE.name: module.TABLE for module in (thesis_lp, thesis_unlabelled)
}
