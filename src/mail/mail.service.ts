import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import { describeError } from '../common/logging/logger.js';
import { SECOND_MS } from '../common/time/durations.js';
import { AppConfig } from '../config/app-config.js';

/** A plain-text email. */
export interface Email {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

const TRIES = 3;
/** A server that accepts a connection and sends nothing delays neither the next try nor a stop for long. */
const SMTP_TIMEOUTS = {
  connectionTimeout: 5 * SECOND_MS,
  greetingTimeout: 5 * SECOND_MS,
  socketTimeout: 10 * SECOND_MS,
};
/** How long a stop waits for emails that are being sent. */
const STOP_TIMEOUT_MS = 10 * SECOND_MS;

/** Sends emails over SMTP (`SMTP_URL`). Without a server, it writes each email to an `.eml` file in `DATA_DIR/mail`. */
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
    // `url` is one of the options: after a URL as first argument, the second one would be the defaults of the messages.
    this.smtp = smtpUrl === null ? null : createTransport({ url: smtpUrl, pool: true, ...SMTP_TIMEOUTS });
    this.folder = join(config.dataDir, 'mail');
    this.from = config.mailFrom;
  }

  /**
   * Sends an email in the background, so that the time of a response does not show whether one was sent. An email that
   * cannot be sent in three tries is logged, without its text and address.
   */
  post(email: Email): void {
    this.inBackground(() => this.deliver(email));
  }

  /** Runs work that sends an email, in the background. A stop waits for it. */
  inBackground(work: () => Promise<void>): void {
    const running = work()
      .catch((error: unknown) => this.logger.error('An email was not sent', describeError(error)))
      .finally(() => this.running.delete(running));
    this.running.add(running);
  }

  async onApplicationShutdown(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise((resolve) => (timer = setTimeout(resolve, STOP_TIMEOUT_MS)));
    await Promise.race([this.idle(), timeout]);
    clearTimeout(timer);
    this.smtp?.close();
  }

  /** Waits until no work runs any more, including the emails that running work sends. */
  async idle(): Promise<void> {
    while (this.running.size > 0) await Promise.allSettled(this.running);
  }

  private async deliver(email: Email): Promise<void> {
    const message = { from: this.from, ...email };
    const { smtp } = this;
    if (smtp === null) return this.writeFile(message);
    for (let attempt = 1; ; attempt++) {
      try {
        await smtp.sendMail(message);
        return;
      } catch (error) {
        if (attempt === TRIES) throw error;
        await new Promise((resume) => setTimeout(resume, attempt * SECOND_MS));
      }
    }
  }

  private async writeFile(message: Email & { from: string }): Promise<void> {
    const { message: bytes } = await this.files.sendMail(message);
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const name = `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID().slice(0, 8)}`;
    // Renamed when it is complete, so that nobody who watches the folder reads half an email.
    const partial = join(this.folder, `.${name}.part`);
    await writeFile(partial, bytes as Buffer, { mode: 0o600 });
    await rename(partial, join(this.folder, `${name}.eml`));
  }
}
