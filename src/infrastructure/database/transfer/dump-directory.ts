import { constants, existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { mongo } from 'mongoose';
import { TransferError } from './transfer-error.js';
import { readBsonFile } from './bson-file.js';
import { type CollectionInfo, type IndexSpecification } from './collections.js';
import { type Report, withProgress } from './progress.js';
import { type Checksum, checksumOf, Checksums } from './raw-documents.js';

/**
 * A backup on the disk has the directory format of mongodump, so that mongorestore can read it:
 *
 *     DIR/backup.json                                  written last; mongodump makes no such file, and mongorestore skips it
 *     DIR/<database>/<collection>.bson                 the documents, one after the other
 *     DIR/<database>/<collection>.metadata.json        options and indexes
 */
const MANIFEST = 'backup.json';
const [BSON, METADATA, PART] = ['.bson', '.metadata.json', '.part'];
/** What a dump of a whole server has besides the databases of its users. */
const OF_THE_SERVER = new Set(['admin', 'config', 'local']);
/** A Mac leaves `._orders.bson` beside a file that it copies to a disk of another system. */
const isHidden = (name: string): boolean => name.startsWith('.');

/** What the backup as a whole has. */
export interface Manifest {
  readonly createdAt: string;
  /** Collection name -> its documents, in the order of the file. */
  readonly collections: Readonly<Record<string, Checksum>>;
}

/** Writes a collection to the disk. */
export type WriteCollection = (info: CollectionInfo, documents: AsyncIterable<readonly Buffer[]>) => Promise<Checksum>;

/** Makes a directory that gets its name when all of it is on the disk. */
export async function writeDump(
  directory: string,
  databaseName: string,
  fill: (write: WriteCollection) => Promise<Manifest>,
): Promise<void> {
  const target = resolve(directory);
  const part = target + PART;
  if (existsSync(target)) throw new TransferError(`${target} exists already: choose a new name.`);
  await mkdir(dirname(target), { recursive: true });
  try {
    await mkdir(part);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new TransferError(
      `${part} exists already: another backup is writing it, or was ended before it was complete. Remove it, or choose a new name.`,
    );
  }
  try {
    const folder = join(part, databaseName);
    await mkdir(folder);
    const manifest = await fill((info, documents) => writeCollection(folder, info, documents));
    await writeDurably(join(part, MANIFEST), [`${JSON.stringify(manifest, null, 2)}\n`]);
    for (const made of [folder, part]) await syncDirectory(made);
    await rename(part, target);
    await syncDirectory(dirname(target));
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    throw error;
  }
}

async function writeCollection(
  folder: string,
  { name, options, indexes }: CollectionInfo,
  documents: AsyncIterable<readonly Buffer[]>,
): Promise<Checksum> {
  const path = join(folder, encodeURIComponent(name));
  const metadata = { options, indexes, collectionName: name, type: 'collection' };
  await writeDurably(path + METADATA, [mongo.BSON.EJSON.stringify(metadata, { relaxed: false })]);
  const checksums = new Checksums();
  const bytes = async function* (): AsyncGenerator<Buffer> {
    for await (const batch of documents) {
      checksums.add(batch);
      yield Buffer.concat(batch);
    }
  };
  await writeDurably(path + BSON, bytes());
  return checksums.result();
}

async function writeDurably(path: string, chunks: AsyncIterable<Buffer> | Iterable<string>): Promise<void> {
  const file = await open(path, 'wx');
  try {
    for await (const chunk of chunks) await file.writeFile(chunk);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, constants.O_RDONLY);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** A collection in a directory. */
export interface DumpedCollection extends CollectionInfo {
  /** The file of its documents. */
  readonly file: string;
}

/** A directory that `backup` or mongodump made. */
export interface Dump {
  readonly collections: readonly DumpedCollection[];
  /** null: mongodump made it. */
  readonly manifest: Manifest | null;
}

/** @throws TransferError when the directory is not complete, or not in the format */
export async function readDump(directory: string): Promise<Dump> {
  const path = resolve(directory);
  if (path.endsWith(PART))
    throw new TransferError(`${path} is not complete: the backup was ended before. Take another one.`);
  if (!existsSync(path)) {
    const reason = existsSync(path + PART)
      ? `it is not complete, only ${path + PART} is there`
      : 'there is no such directory';
    throw new TransferError(`${path} cannot be restored: ${reason}.`);
  }
  const folder = join(path, await databaseFolder(path));
  const files = (await readdir(folder)).filter(
    (file) => file.endsWith(BSON) && !file.startsWith('system.') && !isHidden(file),
  );
  const collections: DumpedCollection[] = [];
  for (const file of files.sort()) collections.push(await readMetadata(join(folder, file)));
  return { collections, manifest: await readManifest(path) };
}

async function databaseFolder(path: string): Promise<string> {
  const all = await readdir(path, { withFileTypes: true, recursive: true });
  const entries = all.filter(({ name }) => !isHidden(name));
  if (entries.some(({ name }) => name.endsWith(`${BSON}.gz`))) {
    throw new TransferError(`${path} is compressed: decompress its files first (gunzip -r).`);
  }
  const top = entries.filter(({ parentPath }) => parentPath === path);
  if (top.some(({ name }) => name === 'oplog.bson')) {
    throw new TransferError(`${path} was made with --oplog: restore it with mongorestore --oplogReplay.`);
  }
  const folders = top.filter((entry) => entry.isDirectory() && !OF_THE_SERVER.has(entry.name));
  const [folder, ...others] = folders.map(({ name }) => name);
  if (folder === undefined) throw new TransferError(`${path} has no folder with the files of a database.`);
  if (others.length === 0) return folder;
  const names = [folder, ...others].join(', ');
  throw new TransferError(`${path} has several databases (${names}): move the folders of the others out of it.`);
}

async function readMetadata(file: string): Promise<DumpedCollection> {
  const metadataFile = file.slice(0, -BSON.length) + METADATA;
  if (!existsSync(metadataFile)) throw new TransferError(`${metadataFile} is missing: the backup is not complete.`);
  for (const read of [file, metadataFile]) await requireFile(read);
  const text = await readFile(metadataFile, 'utf8');
  try {
    const { collectionName, options, indexes } = mongo.BSON.EJSON.parse(text) as {
      readonly collectionName?: string;
      readonly options?: mongo.Document;
      readonly indexes: readonly IndexSpecification[];
    };
    const name = collectionName ?? decodeURIComponent(basename(file, BSON));
    return { name, options: options ?? {}, indexes, file };
  } catch {
    throw new TransferError(`${metadataFile} is damaged: copy it again, or take another backup.`);
  }
}

/** A read of a pipe would wait for ever. @throws TransferError */
async function requireFile(path: string): Promise<void> {
  if (!(await stat(path)).isFile()) throw new TransferError(`${path} is not a regular file: copy the backup again.`);
}

async function readManifest(path: string): Promise<Manifest | null> {
  const file = join(path, MANIFEST);
  if (!existsSync(file)) return null;
  await requireFile(file);
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Manifest;
  } catch {
    throw new TransferError(`${file} is damaged: copy it again, or take another backup.`);
  }
}

/** The documents of a small collection of a dump; empty when it does not have the collection. */
export async function readDocuments<Stored extends mongo.Document>(
  { collections }: Dump,
  name: string,
): Promise<Stored[]> {
  const found: Stored[] = [];
  for (const { file } of collections.filter((collection) => collection.name === name)) {
    for await (const documents of readBsonFile(file)) {
      found.push(...documents.map((bytes) => mongo.BSON.deserialize(bytes) as Stored));
    }
  }
  return found;
}

/**
 * Reads all documents.
 * @throws TransferError when some are missing or damaged. Of a dump of mongodump, which has no manifest, less is noticed.
 */
export async function checkDump({ collections, manifest }: Dump, report: Report): Promise<void> {
  report('Checking the backup');
  const found = new Map<string, Checksum>();
  for (const { name, file } of collections) {
    found.set(name, await checksumOf(withProgress(name, report, readBsonFile(file))));
  }
  for (const [name, { documents, sha256 }] of Object.entries(manifest?.collections ?? {})) {
    const there = found.get(name);
    if (there?.documents === documents && there.sha256 === sha256) continue;
    const reason = there === undefined ? 'is missing' : 'has not the documents that it had';
    throw new TransferError(`The backup is not complete: ${name} ${reason}. Copy it again, or take another backup.`);
  }
}
