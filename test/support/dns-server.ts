import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const HEADER_BYTES = 12;
const A = 1;
const TXT = 16;
const NXDOMAIN = 3;

/** How the server misbehaves: it sends an error code of RFC 1035, invalid bytes, or nothing. */
export type Misbehaviour = { readonly rcode: number } | 'garbage' | 'silence';

/** An authoritative name server for TXT records and IPv4 addresses, on loopback. */
export interface DnsServer {
  /** `127.0.0.1:<port>`, as `dnsServers` takes it. */
  readonly address: string;
  /** The names that were queried, in order. */
  readonly queries: readonly string[];
  /** Replaces the TXT records of a name; each is a list of parts of at most 255 bytes. */
  publish(name: string, ...records: readonly (readonly string[])[]): void;
  /** Replaces the IPv4 addresses of a name. */
  pointTo(name: string, ...addresses: readonly string[]): void;
  misbehave(how: Misbehaviour | null): void;
  /** Holds back all replies from now on, until `finish` is called. `begun` resolves at the first query. */
  hold(): { readonly begun: Promise<void>; finish(): void };
  close(): Promise<void>;
}

/** The question of a query: its name, its type, and its bytes to repeat. */
function questionOf(query: Buffer): { name: string; type: number; bytes: Buffer } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const end = at + 5;
  return {
    name: labels.join('.').toLowerCase(),
    type: query.readUInt16BE(at + 1),
    bytes: query.subarray(HEADER_BYTES, end),
  };
}

function txtRecord(parts: readonly string[]): Buffer {
  const strings = parts.map((part) => Buffer.concat([Buffer.from([Buffer.byteLength(part)]), Buffer.from(part)]));
  return record(TXT, Buffer.concat(strings));
}

const addressRecord = (address: string): Buffer => record(A, Buffer.from(address.split('.').map(Number)));

function record(type: number, data: Buffer): Buffer {
  // The name points back at the question (RFC 1035, 4.1.4); class IN, no time to live.
  const head = Buffer.from([0xc0, HEADER_BYTES, 0, type, 0, 1, 0, 0, 0, 0, 0, 0]);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function reply(query: Buffer, question: Buffer, rcode: number, answers: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  query.copy(header, 0, 0, 2);
  // A response, authoritative, recursion available.
  header.writeUInt16BE(0x8480 | rcode, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(answers.length, 6);
  return Buffer.concat([header, question, ...answers]);
}

export async function startDnsServer(): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const records = new Map<string, readonly (readonly string[])[]>();
  const addresses = new Map<string, readonly string[]>();
  const queries: string[] = [];
  let misbehaviour: Misbehaviour | null = null;
  let held: { begin(): void; readonly finished: Promise<void> } | null = null;
  socket.on('message', (query, { port, address }) => {
    const { name, type, bytes } = questionOf(query);
    queries.push(name);
    if (misbehaviour === 'silence') return;
    if (misbehaviour === 'garbage') {
      // The id is right, so that the client reads it as the response. The rest is invalid.
      socket.send(Buffer.concat([reply(query, bytes, 0, []), Buffer.from([0xff])]).fill(0xff, 4), port, address);
      return;
    }
    const found = records.get(name);
    const at = addresses.get(name);
    const rcode = misbehaviour?.rcode ?? (found || at ? 0 : NXDOMAIN);
    const ofType = { [TXT]: found?.map(txtRecord), [A]: at?.map(addressRecord) }[type];
    const answers = rcode === 0 ? (ofType ?? []) : [];
    const send = (): void => socket.send(reply(query, bytes, rcode, answers), port, address);
    if (held === null) send();
    else {
      held.begin();
      void held.finished.then(send);
    }
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  return {
    address: `127.0.0.1:${port}`,
    queries,
    publish: (name, ...texts) => records.set(name.toLowerCase(), texts),
    pointTo: (name, ...at) => addresses.set(name.toLowerCase(), at),
    misbehave: (how) => (misbehaviour = how),
    hold: () => {
      let finish = (): void => undefined;
      const finished = new Promise<void>((resolve) => (finish = resolve));
      const begun = new Promise<void>((begin) => (held = { begin, finished }));
      return {
        begun,
        finish: () => {
          held = null;
          finish();
        },
      };
    },
    close: async () => {
      const closed = once(socket, 'close');
      socket.close();
      await closed;
    },
  };
}
