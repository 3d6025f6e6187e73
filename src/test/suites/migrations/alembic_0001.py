"""first"""
revision = "0001"
down_revision = None
branch_labels = None
depends_on = None
from alembic import op
import sqlalchemy as sa

def upgrade():
    op.create_table("account", sa.Column("id", sa.Integer, primary_key=True), sa.Column("name", sa.String(50), nullable=False, unique=True),
        sa.Column("created", sa.DateTime(timezone=True), server_default=sa.func.now()), sa.Column("kind", sa.Enum("a", "b", name="kind")))
    t = sa.table("account", sa.column("name"))
    op.bulk_insert(t, [{"name": "x"}, {"name": "y"}])

def downgrade():
    op.drop_table("account")
    op.execute("drop type kind")
