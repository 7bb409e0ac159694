import { fail } from '../errors.js';
import { decode, encode } from '../values/bson.js';
import { type Doc, type Encodable, isDoc, type Value } from '../values/types.js';

/** Longest message that is accepted, in bytes. */
export const maxMessageBytes = 48_000_000;
const headerBytes = 16;
const [opReply, opQuery, opMsg] = [1, 2004, 2013];
const moreToCome = 2;

/** A client's message. */
export interface Message {
  readonly requestId: number;
  /** The command, with the documents of its sequences under their names. */
  readonly body: Doc;
  /** Whether the client wants no reply. */
  readonly silent: boolean;
  /** Whether it is an OP_QUERY message, as in old handshakes. */
  readonly legacy: boolean;
}

/**
 * Reads one whole message (MongoDB manual: reference/mongodb-wire-protocol): OP_MSG with document sequences,
 * or OP_QUERY for the handshake. Throws 17 and 22 for a malformed message; then the connection is closed.
 */
export function parseMessage(bytes: Buffer): Message {
  const [requestId, code] = [bytes.readInt32LE(4), bytes.readInt32LE(12)];
  if (code === opMsg) return parseMsg(bytes, requestId);
  return code === opQuery ? parseQuery(bytes, requestId) : fail(17, `unsupported wire protocol operation ${code}`);
}

function parseMsg(bytes: Buffer, requestId: number): Message {
  const flags = bytes.readUInt32LE(headerBytes);
  if ((flags & 1) !== 0) fail(17, 'checksums of OP_MSG are not supported by the embedded store');
  if ((flags & 0xfffc) !== 0) fail(17, 'unknown required OP_MSG flag');
  let body: Doc | undefined;
  const sequences: [string, Value[]][] = [];
  for (let at = headerBytes + 4; at < bytes.length;) {
    const kind = bytes.readUInt8(at);
    const size = bytes.readInt32LE(at + 1);
    if (size < 5 || at + 1 + size > bytes.length) fail(17, 'an OP_MSG section exceeds its message');
    if (kind === 0 && !body) body = decode(bytes, at + 1);
    else if (kind === 1) sequences.push(parseSequence(bytes.subarray(at + 5, at + 1 + size)));
    else fail(17, `unexpected OP_MSG section of kind ${kind}`);
    at += 1 + size;
  }
  if (!body) return fail(17, 'OP_MSG without a body');
  for (const [name, documents] of sequences) body.set(name, documents);
  return { requestId, body, silent: (flags & moreToCome) !== 0, legacy: false };
}

function parseSequence(bytes: Buffer): [string, Value[]] {
  const nameEnd = bytes.indexOf(0);
  const documents: Value[] = [];
  for (let at = nameEnd + 1; at < bytes.length;) {
    documents.push(decode(bytes, at));
    at += bytes.readInt32LE(at);
  }
  return [bytes.toString('utf8', 0, nameEnd), documents];
}

function parseQuery(bytes: Buffer, requestId: number): Message {
  const nameEnd = bytes.indexOf(0, headerBytes + 4);
  const namespace = bytes.toString('utf8', headerBytes + 4, nameEnd);
  const query = decode(bytes, nameEnd + 9);
  const wrapped = query.get('$query');
  const body = isDoc(wrapped) ? wrapped : query;
  const [name = ''] = body.keys();
  if (!namespace.endsWith('.$cmd') || !['ismaster', 'hello'].includes(name.toLowerCase()))
    fail(352, 'Unsupported OP_QUERY command');
  return { requestId, body: body.set('$db', namespace.slice(0, -5)), silent: false, legacy: true };
}

let lastId = 0;

/** Encodes a reply. */
export function replyBytes(message: Message, reply: ReadonlyMap<string, Encodable>): Buffer {
  const body = encode(reply);
  const prefix = Buffer.alloc(message.legacy ? headerBytes + 20 : headerBytes + 5);
  prefix.writeInt32LE(prefix.length + body.length, 0);
  prefix.writeInt32LE((lastId = (lastId + 1) & 0x7fffffff), 4);
  prefix.writeInt32LE(message.requestId, 8);
  prefix.writeInt32LE(message.legacy ? opReply : opMsg, 12);
  if (message.legacy) {
    prefix.writeInt32LE(8, headerBytes); // AwaitCapable
    prefix.writeInt32LE(1, headerBytes + 16);
  }
  return Buffer.concat([prefix, body]);
}
