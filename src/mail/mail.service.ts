import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import { describeError } from '../common/logging/logger.js';
import { AppConfig } from '../config/app-config.js';

/** A plain-text mail. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

const TRIES = 3;
const SECOND = 1_000;
/** A server that accepts and stays silent holds nobody up for long: not the next try, not a stop. */
const SMTP_TIMEOUTS = { connectionTimeout: 5 * SECOND, greetingTimeout: 5 * SECOND, socketTimeout: 10 * SECOND };
const PATIENCE_AT_STOP_MS = 10 * SECOND;

/** Sends mails over SMTP (`SMTP_URL`), or without a server writes each as an `.eml` file under `DATA_DIR/mail`. */
@Injectable()
export class MailService implements OnApplicationShutdown {
  private readonly logger = new Logger('Mail');
  private readonly smtp: Transporter | null;
  private readonly files = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  private readonly folder: string;
  private readonly from: string;
  private readonly running = new Set<Promise<void>>();

  constructor(config: AppConfig) {
    const smtpUrl = config.smtpUrl;
    // `url` inside the options: beside a bare URL the second argument would be the messages' defaults.
    this.smtp = smtpUrl === null ? null : createTransport({ url: smtpUrl, pool: true, ...SMTP_TIMEOUTS });
    this.folder = join(config.dataDir, 'mail');
    this.from = config.mailFrom;
  }

  /**
   * Sends a mail off the request's path: the caller neither waits nor learns from the time what happened.
   * A mail that cannot be sent in three tries is logged, without its words or address.
   */
  post(mail: Mail): void {
    this.inBackground(() => this.deliver(mail));
  }

  /** Runs work that ends in a mail after the answer; awaited at shutdown. */
  inBackground(work: () => Promise<void>): void {
    const running = work()
      .catch((error: unknown) => this.logger.error('A mail was not sent', describeError(error)))
      .finally(() => this.running.delete(running));
    this.running.add(running);
  }

  async onApplicationShutdown(): Promise<void> {
    let patience: NodeJS.Timeout | undefined;
    const enough = new Promise((resume) => (patience = setTimeout(resume, PATIENCE_AT_STOP_MS)));
    await Promise.race([this.idle(), enough]);
    clearTimeout(patience);
    this.smtp?.close();
  }

  /** Until nothing runs any more, the mails of what runs now included. */
  private async idle(): Promise<void> {
    while (this.running.size > 0) await Promise.allSettled(this.running);
  }

  private async deliver(mail: Mail): Promise<void> {
    const message = { from: this.from, ...mail };
    const { smtp } = this;
    if (smtp === null) return this.writeFile(message);
    for (let attempt = 1; ; attempt++) {
      try {
        await smtp.sendMail(message);
        return;
      } catch (error) {
        if (attempt === TRIES) throw error;
        await new Promise((resume) => setTimeout(resume, attempt * SECOND));
      }
    }
  }

  private async writeFile(message: Mail & { from: string }): Promise<void> {
    const { message: bytes } = await this.files.sendMail(message);
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const name = `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID().slice(0, 8)}`;
    // Renamed when complete: whoever watches the folder never reads half a mail.
    const partial = join(this.folder, `.${name}.part`);
    await writeFile(partial, bytes as Buffer, { mode: 0o600 });
    await rename(partial, join(this.folder, `${name}.eml`));
  }
}
