import { createReadStream } from 'node:fs';
import { TransferError } from './transfer-error.js';

const CHUNK_BYTES = 1024 ** 2;
/** The number of bytes, and the zero at the end. */
const MIN_BYTES = 5;
/** MongoDB's limit for a document, and 16 KiB for what the server adds itself. */
const MAX_BYTES = 16 * 1024 ** 2 + 16 * 1024;

/**
 * Reads a file of BSON documents, some at a time.
 * @throws TransferError when the file is damaged or ends within a document
 */
export async function* readBsonFile(path: string): AsyncGenerator<readonly Buffer[]> {
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
    const bytes = Buffer.concat([rest, chunk]);
    const documents: Buffer[] = [];
    let begin = 0;
    for (let end; (end = endOfDocument(bytes, begin, path)) <= bytes.length; begin = end) {
      if (bytes[end - 1] !== 0) throw damaged(path);
      documents.push(bytes.subarray(begin, end));
    }
    rest = bytes.subarray(begin);
    if (documents.length > 0) yield documents;
  }
  if (rest.length > 0) throw new TransferError(`${path} is incomplete: copy it again, or take another backup.`);
}

/** Infinity when not even its number of bytes is there. */
function endOfDocument(bytes: Buffer, begin: number, path: string): number {
  if (bytes.length - begin < 4) return Number.POSITIVE_INFINITY;
  const size = bytes.readInt32LE(begin);
  if (size < MIN_BYTES || size > MAX_BYTES) throw damaged(path);
  return begin + size;
}

const damaged = (path: string): TransferError =>
  new TransferError(`${path} is damaged: copy it again, or take another backup.`);
