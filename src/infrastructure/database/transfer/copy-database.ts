import { type mongo } from 'mongoose';
import { type CollectionInfo, createIndexes, expires, readCollections, readSource } from './collections.js';
import { type Report, withProgress } from './progress.js';
import { type Checksum, checksumOf, Checksums, insertRaw, rawDocuments } from './raw-documents.js';
import { TransferError } from './transfer-error.js';
import { markFinished, markUnfinished, unfinishedCommand } from './unfinished-transfer.js';

/**
 * Copies a database to which nothing writes meanwhile, and compares both. When it was killed, it continues where it was.
 * @throws TransferError when the target has something else, or the two are not equal afterwards
 */
export async function copyDatabase(source: mongo.Db, target: mongo.Db, report: Report): Promise<void> {
  const collections = await readSource(source);
  await prepare(target, collections);
  const copied: [CollectionInfo, Checksum][] = [];
  for (const info of collections) copied.push([info, await copyDocuments(source, target, info, report)]);
  report('Comparing both databases');
  for (const [info, checksum] of copied) await compare(source, target, info, checksum, report);
  // A TTL index would remove documents before they are compared, and to build an index is faster than to maintain it.
  for (const info of collections) await createIndexes(target, info, report);
  await markFinished(target);
}

/** Makes the target ready to get the documents that it does not have. */
async function prepare(target: mongo.Db, collections: readonly CollectionInfo[]): Promise<void> {
  const found = await readCollections(target);
  if (found.length > 0 && (await unfinishedCommand(target)) !== 'copy') {
    throw new TransferError(
      'The target is not empty, and no copy that was interrupted: remove it, or name another one.',
    );
  }
  await markUnfinished(target, 'copy');
  const present = new Set(found.map(({ name }) => name));
  for (const info of collections) {
    // The source may have removed some of them since they were copied.
    if (expires(info) && present.delete(info.name)) await target.dropCollection(info.name);
    if (!present.has(info.name)) await target.createCollection(info.name, info.options);
  }
}

/** Both are sorted by `_id`, so that what the target has is the beginning of what the source has. */
async function copyDocuments(
  source: mongo.Db,
  target: mongo.Db,
  { name }: CollectionInfo,
  report: Report,
): Promise<Checksum> {
  const checksums = new Checksums();
  let present = await target.collection(name).countDocuments();
  for await (const documents of withProgress(name, report, sorted(source, name))) {
    checksums.add(documents);
    const missing = documents.slice(present);
    present = Math.max(0, present - documents.length);
    if (missing.length > 0) await insertRaw(target.collection(name), missing);
  }
  return checksums.result();
}

const sorted = (database: mongo.Db, name: string): AsyncGenerator<readonly Buffer[]> =>
  rawDocuments(database.collection(name), { sort: { _id: 1 } });

async function compare(
  source: mongo.Db,
  target: mongo.Db,
  info: CollectionInfo,
  copied: Checksum,
  report: Report,
): Promise<void> {
  const read = (database: mongo.Db, role: string): Promise<Checksum> =>
    checksumOf(withProgress(`${info.name} in the ${role}`, report, sorted(database, info.name)));
  // Of documents that expire, the source has perhaps removed some since they were copied.
  const expected = expires(info) ? copied : await read(source, 'source');
  const found = await read(target, 'target');
  if (found.documents === expected.documents && found.sha256 === expected.sha256) return;
  throw new TransferError(
    `${info.name} is not equal in both databases (${expected.documents} and ${found.documents} documents): something has written to one of them. Remove the target and copy again.`,
  );
}
