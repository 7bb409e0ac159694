// An SMTP server (RFC 5321) that takes every email and forgets it.
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Starts the server on a free port of loopback. Returns its URL and how many emails it took. */
export async function startMailServer() {
  let taken = 0;
  const server = createServer((socket) => {
    let [isData, rest] = [false, ''];
    const respond = (line) => {
      if (isData && line !== '.') return null;
      if (isData) {
        isData = false;
        taken += 1;
        return '250 taken';
      }
      if (/^QUIT/i.test(line)) return '221 bye';
      isData = /^DATA/i.test(line);
      return isData ? '354 go on' : '250 ok';
    };
    socket.on('error', () => socket.destroy());
    socket.write('220 localhost ESMTP\r\n');
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString('latin1')).split('\r\n');
      rest = lines.pop();
      for (const line of lines) {
        const response = respond(line);
        if (response !== null) socket.write(`${response}\r\n`);
      }
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  server.unref();
  return { url: `smtp://127.0.0.1:${server.address().port}`, taken: () => taken };
}
