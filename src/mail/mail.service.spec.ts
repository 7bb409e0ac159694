import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type AppConfig } from '../config/app-config.js';
import { MailService } from './mail.service.js';

const MAIL = { to: 'buyer@example.com', subject: 'Your code', text: 'The code:\n\n12345678\n' };

function service(settings: Partial<AppConfig>): MailService {
  const config: Partial<AppConfig> = { smtpUrl: null, mailFrom: 'Shop <no-reply@example.com>', ...settings };
  return new MailService(config as AppConfig);
}

describe('MailService', () => {
  let dataDir: string;
  const files = async (): Promise<string[]> => readdir(join(dataDir, 'mail')).catch(() => []);

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'shop-platform-mail-'));
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await rm(join(dataDir, 'mail'), { recursive: true, force: true });
  });
  afterAll(() => rm(dataDir, { recursive: true }));

  describe('without SMTP_URL', () => {
    it('writes each mail as a whole file that only its owner may read', async () => {
      const mail = service({ dataDir });
      mail.post(MAIL);
      mail.post({ ...MAIL, to: 'other@example.com' });
      await mail.onApplicationShutdown();
      const names = await files();
      expect(names).toHaveLength(2);
      for (const name of names) {
        expect(name).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z-[0-9a-f]{8}\.eml$/);
        expect((await stat(join(dataDir, 'mail', name))).mode & 0o777).toBe(0o600);
      }
      const texts = await Promise.all(names.map((name) => readFile(join(dataDir, 'mail', name), 'utf8')));
      const [text = ''] = texts.filter((one) => one.includes('To: buyer@example.com'));
      expect(text).toMatch(/^From: Shop <no-reply@example.com>$/m);
      expect(text).toMatch(/^Subject: Your code$/m);
      expect(text).toMatch(/^12345678$/m);
    });

    it('lets no line break out of a subject or an address', async () => {
      const mail = service({ dataDir });
      mail.post({
        ...MAIL,
        subject: 'Hi\r\nBcc: thief@example.com',
        to: 'buyer@example.com\r\nBcc: thief@example.com',
      });
      await mail.onApplicationShutdown();
      const [name = ''] = await files();
      const [head = ''] = (await readFile(join(dataDir, 'mail', name), 'utf8')).split('\n\n');
      expect(head).not.toMatch(/^bcc:/im);
    });
  });

  it('logs work that fails, without the words or the address of the mail, and goes on', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const mail = service({ dataDir: '/dev/null' });
    mail.post(MAIL);
    mail.inBackground(() => Promise.reject(new Error('no such order')));
    await mail.onApplicationShutdown();
    expect(error).toHaveBeenCalledTimes(2);
    expect(JSON.stringify(error.mock.calls)).not.toMatch(/12345678|buyer@example\.com/);
  });

  it('waits at shutdown for what is on its way', async () => {
    const mail = service({ dataDir });
    let finish = (): void => undefined;
    let stopped = false;
    mail.inBackground(() => new Promise((resolve) => (finish = resolve)));
    const stopping = mail.onApplicationShutdown().then(() => (stopped = true));
    await new Promise(setImmediate);
    expect(stopped).toBe(false);
    finish();
    await stopping;
  });

  it('waits at shutdown for the mail that such work ends in, too', async () => {
    const mail = service({ dataDir });
    mail.inBackground(async () => {
      await new Promise(setImmediate);
      mail.post(MAIL);
    });
    await mail.onApplicationShutdown();
    expect(await files()).toHaveLength(1);
  });

  describe('with SMTP_URL', () => {
    let server: Server;
    let mails: string[];
    let refusals: number;
    let tries: number;

    /** As much SMTP (RFC 5321) as a sender needs; refuses the first mails for now. */
    beforeAll(async () => {
      server = createServer((socket) => {
        let isData = false;
        let text = '';
        socket.write('220 test ESMTP\r\n');
        socket.on('data', (chunk: Buffer) => {
          for (const line of chunk.toString().split('\r\n').slice(0, -1)) {
            if (isData && line !== '.') text += `${line}\n`;
            else if (isData) {
              mails.push(text);
              [isData, text] = [false, ''];
              socket.write('250 taken\r\n');
            } else if (/^MAIL/i.test(line)) {
              tries++;
              socket.write(refusals-- > 0 ? '451 not now\r\n' : '250 ok\r\n');
            } else if (/^DATA/i.test(line)) {
              isData = true;
              socket.write('354 go on\r\n');
            } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n');
            else socket.write('250 ok\r\n');
          }
        });
        socket.on('error', () => socket.destroy());
      });
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    });
    afterAll(() => new Promise((closed) => server.close(closed)));
    const smtpUrl = (): string => `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;

    it('tries again when the server has no time, and sends the mail once', async () => {
      [mails, refusals, tries] = [[], 1, 0];
      const mail = service({ dataDir, smtpUrl: smtpUrl() });
      mail.post(MAIL);
      await mail.onApplicationShutdown();
      expect(tries).toBe(2);
      expect(mails).toHaveLength(1);
      expect(mails[0]).toContain('12345678');
      expect(await files()).toEqual([]);
    });

    it('gives up after three tries, and says so without the words or the address', async () => {
      [mails, refusals, tries] = [[], 9, 0];
      const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
      const mail = service({ dataDir, smtpUrl: smtpUrl() });
      mail.post(MAIL);
      await mail.onApplicationShutdown();
      expect({ tries, sent: mails.length }).toEqual({ tries: 3, sent: 0 });
      expect(error).toHaveBeenCalledTimes(1);
      expect(JSON.stringify(error.mock.calls)).not.toMatch(/12345678|buyer@example\.com/);
    });
  });
});
