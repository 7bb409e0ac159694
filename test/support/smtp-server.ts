import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** An SMTP server (RFC 5321) on loopback that keeps what it gets. */
export interface SmtpServer {
  readonly url: string;
  /** The emails that it took, with their headers. */
  readonly taken: string[];
  /** The responses to the next `MAIL FROM`; without one, it takes the email. */
  readonly refusals: string[];
  /** The responses to the next `RCPT TO`; without one, it knows the address. */
  readonly unknown: string[];
  /** The response to a `RCPT TO` of an address; null: it knows the address. */
  refusalOf: (address: string) => string | null;
  /** The responses to the next emails after their data; without one, it takes them. */
  readonly rejected: string[];
  /** What it waits for before it takes an email. */
  beforeTaking: () => Promise<void>;
  /** How often an email was begun. */
  begun(): number;
  /** Destroys all connections, as a server that is killed. New ones are accepted. */
  cutConnections(): void;
  close(): Promise<void>;
}

export async function startSmtpServer(): Promise<SmtpServer> {
  const sockets = new Set<Socket>();
  let begun = 0;
  const state = {
    taken: [] as string[],
    refusals: [] as string[],
    unknown: [] as string[],
    refusalOf: (_: string): string | null => null,
    rejected: [] as string[],
    beforeTaking: (): Promise<void> => Promise.resolve(),
  };
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    let [isData, text, rest] = [false, '', ''];
    const reply = (line: string): void => {
      if (socket.writable) socket.write(`${line}\r\n`);
    };
    const take = async (email: string): Promise<void> => {
      await state.beforeTaking();
      if (socket.destroyed) return;
      const rejection = state.rejected.shift();
      if (rejection === undefined) state.taken.push(email);
      reply(rejection ?? '250 taken');
    };
    reply('220 test ESMTP');
    socket.on('data', (chunk: Buffer) => {
      const lines = (rest + chunk.toString('latin1')).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (isData && line !== '.') text += `${line}\n`;
        else if (isData) {
          void take(text);
          [isData, text] = [false, ''];
        } else if (/^MAIL/i.test(line)) {
          begun++;
          reply(state.refusals.shift() ?? '250 ok');
        } else if (/^RCPT/i.test(line)) {
          const [, address = ''] = /<(.*)>/.exec(line) ?? [];
          reply(state.unknown.shift() ?? state.refusalOf(address) ?? '250 ok');
        } else if (/^DATA/i.test(line)) {
          isData = true;
          reply('354 go on');
        } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n');
        else reply('250 ok');
      }
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const cutConnections = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return Object.assign(state, {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    begun: () => begun,
    cutConnections,
    close: () => {
      cutConnections();
      return new Promise<void>((closed) => server.close(() => closed()));
    },
  });
}
