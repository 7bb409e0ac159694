import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type AppConfig } from '../config/app-config.js';
import { MailService } from './mail.service.js';

const EMAIL = { to: 'buyer@example.com', subject: 'Your code', text: 'The code:\n\n12345678\n' };

function serviceWith(settings: Partial<AppConfig>): MailService {
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
    it('writes each email to a file that only its owner may read', async () => {
      const service = serviceWith({ dataDir });
      service.post(EMAIL);
      service.post({ ...EMAIL, to: 'other@example.com' });
      await service.onApplicationShutdown();
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

    it('adds no header for a line break in a subject or an address', async () => {
      const service = serviceWith({ dataDir });
      service.post({
        ...EMAIL,
        subject: 'Hi\r\nBcc: thief@example.com',
        to: 'buyer@example.com\r\nBcc: thief@example.com',
      });
      await service.onApplicationShutdown();
      const [name = ''] = await files();
      const [head = ''] = (await readFile(join(dataDir, 'mail', name), 'utf8')).split('\n\n');
      expect(head).not.toMatch(/^bcc:/im);
    });
  });

  it('logs work that fails, without the text and the address of the email, and goes on', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const service = serviceWith({ dataDir: '/dev/null' });
    service.post(EMAIL);
    service.inBackground(() => Promise.reject(new Error('no such order')));
    await service.onApplicationShutdown();
    expect(error).toHaveBeenCalledTimes(2);
    expect(JSON.stringify(error.mock.calls)).not.toMatch(/12345678|buyer@example\.com/);
  });

  it('waits at shutdown for work that runs', async () => {
    const service = serviceWith({ dataDir });
    let finish = (): void => undefined;
    let stopped = false;
    service.inBackground(() => new Promise((resolve) => (finish = resolve)));
    const stopping = service.onApplicationShutdown().then(() => (stopped = true));
    await new Promise(setImmediate);
    expect(stopped).toBe(false);
    finish();
    await stopping;
  });

  it('waits at shutdown also for the email that such work sends', async () => {
    const service = serviceWith({ dataDir });
    service.inBackground(async () => {
      await new Promise(setImmediate);
      service.post(EMAIL);
    });
    await service.onApplicationShutdown();
    expect(await files()).toHaveLength(1);
  });

  describe('with SMTP_URL', () => {
    let server: Server;
    let emails: string[];
    let rejections: number;
    let tries: number;

    /** An SMTP server (RFC 5321) that rejects the first emails with a temporary error. */
    beforeAll(async () => {
      server = createServer((socket) => {
        let isData = false;
        let text = '';
        socket.write('220 test ESMTP\r\n');
        socket.on('data', (chunk: Buffer) => {
          for (const line of chunk.toString().split('\r\n').slice(0, -1)) {
            if (isData && line !== '.') text += `${line}\n`;
            else if (isData) {
              emails.push(text);
              [isData, text] = [false, ''];
              socket.write('250 taken\r\n');
            } else if (/^MAIL/i.test(line)) {
              tries++;
              socket.write(rejections-- > 0 ? '451 not now\r\n' : '250 ok\r\n');
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

    it('tries again after a temporary error, and sends the email once', async () => {
      [emails, rejections, tries] = [[], 1, 0];
      const service = serviceWith({ dataDir, smtpUrl: smtpUrl() });
      service.post(EMAIL);
      await service.onApplicationShutdown();
      expect(tries).toBe(2);
      expect(emails).toHaveLength(1);
      expect(emails[0]).toContain('12345678');
      expect(await files()).toEqual([]);
    });

    it('gives up after three tries, and logs it without the text and the address', async () => {
      [emails, rejections, tries] = [[], 9, 0];
      const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
      const service = serviceWith({ dataDir, smtpUrl: smtpUrl() });
      service.post(EMAIL);
      await service.onApplicationShutdown();
      expect({ tries, sent: emails.length }).toEqual({ tries: 3, sent: 0 });
      expect(error).toHaveBeenCalledTimes(1);
      expect(JSON.stringify(error.mock.calls)).not.toMatch(/12345678|buyer@example\.com/);
    });
  });
});
