// Each writer repeats one operation after the other on a few documents of its own. So what it has stored after its first n
// operations is known, and after a power loss the whole content is compared.

const SLOTS = 24;
const LARGEST = 9000;

/** The n-th operation of a writer: which document it replaces or removes. */
const operation = (n) => ({
  slot: (n * 7) % SLOTS,
  isRemoval: n % 5 === 3,
  v: n,
  text: 'x'.repeat(n % 11 === 0 ? LARGEST : (n * 37) % 400),
});
const idOf = (writer, slot) => `${writer}-${slot}`;
const documentOf = (writer, { slot, v, text }) => ({
  _id: idOf(writer, slot),
  writer,
  v,
  text,
  tags: [v % 3, `w${writer}`],
});

/** Writers with an odd number write to both collections in one transaction. */
const collectionsOf = (writer) => (writer % 2 === 1 ? ['slots', 'pairs'] : ['slots']);

export async function prepare(db) {
  for (const name of ['slots', 'pairs']) {
    const indexes = [{ key: { writer: 1, v: -1 }, unique: true }, { key: { tags: 1 } }];
    await db.collection(name).createIndexes(indexes);
  }
}

/** Writes until `goesOn` returns false. @returns when each operation began, and when it was acknowledged */
export async function write(client, db, writer, goesOn) {
  const operations = [];
  const perform = async (one, session) => {
    for (const name of collectionsOf(writer)) {
      const [collection, _id] = [db.collection(name), idOf(writer, one.slot)];
      if (one.isRemoval) await collection.deleteOne({ _id }, { session });
      else await collection.replaceOne({ _id }, documentOf(writer, one), { upsert: true, session });
    }
  };
  while (goesOn()) {
    const one = operation(operations.length);
    const began = Date.now();
    if (collectionsOf(writer).length === 1) await perform(one);
    else await client.withSession((session) => session.withTransaction(() => perform(one, session)));
    // Clocks are cut to milliseconds, so the response came before the next one.
    operations.push({ began, acknowledged: Date.now() + 1 });
  }
  return operations;
}

/** The documents of a writer after its first operations, as one string. */
function contentAfter(writer, count) {
  const documents = new Map();
  for (let n = 0; n < count; n++) {
    const one = operation(n);
    if (one.isRemoval) documents.delete(one.slot);
    else documents.set(one.slot, documentOf(writer, one));
  }
  return contentOf([...documents.values()]);
}

const contentOf = (documents) =>
  JSON.stringify(documents.sort((one, other) => (one._id < other._id ? -1 : 1)).map((each) => Object.entries(each)));

/**
 * Compares what is stored after a power loss at a time: every acknowledged operation, in full, and of the others those that had begun.
 * @returns a line for each problem
 */
export async function problemsOf(db, writer, operations, at) {
  const acknowledged = operations.filter((one) => one.acknowledged <= at).length;
  const begun = operations.filter(({ began }) => began <= at).length;
  const found = [];
  for (const name of collectionsOf(writer)) {
    const content = contentOf(await db.collection(name).find({ writer }).toArray());
    let count = acknowledged;
    while (count <= begun && contentAfter(writer, count) !== content) count++;
    found.push(count);
    if (count > begun)
      return [`writer ${writer}: ${name} has not the content after ${acknowledged} to ${begun} operations`];
  }
  return new Set(found).size === 1 ? [] : [`writer ${writer}: half a transaction`];
}
