"""Runs the steps of `bench server` with the objects of SQLAlchemy, a common ORM, and times them.

    python3 Benchmarks/orm.py URL RESULT

It uses psycopg and a schema of its own, which is dropped afterwards: a table of dogs and one of walks with
the columns and indexes of a DogWalk store, SQLAlchemy's version counter as the lock count, and the order as
its ordering list keeps it. Writes four lines to RESULT, in milliseconds: for inserting 100,000 walks,
fetching them with every attribute read, updating 10,000 and deleting 10,000. RESULT is empty if SQLAlchemy
is not installed.
"""
import sys, time, uuid

url, result = sys.argv[1:]
try:
    import psycopg
    import sqlalchemy as sql
    from sqlalchemy import orm
except ImportError:
    open(result, "w").close()
    sys.exit()

SCHEMA = "bench_orm"
NOTES = [
    "Through the park and back", "Met Rex at the pond", "Rain all the way, and he loved it", "Short one",
    "Along the river to the mill and home over the hill",
]


class Base(orm.DeclarativeBase):
    metadata = sql.MetaData(schema=SCHEMA)


class Dog(Base):
    __tablename__ = "dog"
    id = orm.mapped_column(sql.BigInteger, primary_key=True)
    name = orm.mapped_column(sql.Text)
    walks = orm.relationship("Walk", back_populates="dog", order_by="Walk.order_key", cascade="all")


class Walk(Base):
    __tablename__ = "walk"
    id = orm.mapped_column(sql.BigInteger, primary_key=True)
    version = orm.mapped_column(sql.BigInteger, nullable=False)
    dog_id = orm.mapped_column(sql.ForeignKey(Dog.id), index=True)
    order_key = orm.mapped_column(sql.BigInteger)
    is_ongoing = orm.mapped_column(sql.BigInteger)
    pee_count = orm.mapped_column(sql.BigInteger)
    poo_count = orm.mapped_column(sql.BigInteger)
    utc_offset = orm.mapped_column(sql.BigInteger)
    track = orm.mapped_column(sql.BigInteger, index=True)
    walker = orm.mapped_column(sql.BigInteger, index=True)
    date = orm.mapped_column(sql.Double, index=True)
    distance = orm.mapped_column(sql.Double)
    duration = orm.mapped_column(sql.Double)
    note = orm.mapped_column(sql.Text)
    uuid = orm.mapped_column(sql.LargeBinary)
    dog = orm.relationship(Dog, back_populates="walks")
    __mapper_args__ = {"version_id_col": version}
    __table_args__ = (
        sql.Index("by_dog_and_date", dog_id, date), sql.Index("by_dog_and_order", dog_id, order_key),
    )


def walk(i, dog):
    return Walk(
        dog_id=dog, order_key=2048 + i // 100 * 1024, is_ongoing=0, pee_count=i % 4, poo_count=i % 3,
        utc_offset=3600, date=800000000.25 + i * 60, distance=1000.5 + i % 3000, duration=600.0 + i % 3600,
        note=NOTES[i % 5], uuid=uuid.UUID(int=i).bytes)


def timed(work):
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


def main():
    def connect():
        connection = psycopg.connect(url)
        connection.autocommit = False
        return connection

    engine = sql.create_engine("postgresql+psycopg://", creator=connect)
    with engine.begin() as connection:
        connection.execute(sql.text(f"CREATE SCHEMA {SCHEMA}"))
    Base.metadata.create_all(engine)
    times = []
    with orm.Session(engine) as session:
        dogs = [Dog(name=f"Dog {number}") for number in range(100)]
        session.add_all(dogs)
        session.commit()
        keys = [dog.id for dog in dogs]

        def insert():
            session.add_all([walk(i, keys[i % 100]) for i in range(100_000)])
            session.commit()

        times.append(timed(insert))
    with orm.Session(engine) as session:
        def fetch():
            total = 0
            for walk in session.scalars(sql.select(Walk)).all():
                total += walk.date + (walk.distance or 0) + (walk.duration or 0) + len(walk.note or "")
                total += walk.is_ongoing + walk.pee_count + walk.poo_count + walk.utc_offset
                total += walk.uuid[0] + walk.uuid[15]

        times.append(timed(fetch))
    for change in (update, delete):
        with orm.Session(engine) as session:
            walks = session.scalars(sql.select(Walk).order_by(Walk.date).limit(10_000)).all()
            times.append(timed(lambda: change(session, walks)))
    with engine.begin() as connection:
        connection.execute(sql.text(f"DROP SCHEMA {SCHEMA} CASCADE"))
    with open(result, "w") as file:
        file.writelines(f"{time}\n" for time in times)


def update(session, walks):
    for number, walk in enumerate(walks):
        walk.duration = 900.0 + number
    session.commit()


def delete(session, walks):
    for walk in walks:
        session.delete(walk)
    session.commit()


main()
