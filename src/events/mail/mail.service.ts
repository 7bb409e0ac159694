import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { createTransport, type SendMailOptions, type Transporter } from 'nodemailer';
import { AuditService } from '../audit/audit.service.js';
import { mailboxOf } from '../../domain/buyers/mailbox.js';
import { Semaphore } from '../../lib/concurrency/semaphore.js';
import { Templates } from '../../infrastructure/templates/templates.js';
import { SECOND_MS } from '../../lib/time/durations.js';
import { PublicUrl } from '../../http/addresses/public-url.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { OutboxHandlers, type SendingHandler } from '../outbox/outbox-handlers.js';
import { type OutboxItem } from '../outbox/outbox.types.js';
import { bodyOf, type EmailBody } from './email-body.js';
import { type Email } from './email.types.js';
import { EMAIL_TOPIC } from './emails.service.js';
import { MailAccountService } from './mail-account.service.js';
import { retryAfter, senderOf } from './mail-rules.js';
import { UndeliveredEmails } from './undelivered-emails.js';

/** The timeouts are short, so that a server that accepts a connection and sends nothing does not block its lane for long. */
const SMTP_TIMEOUTS = {
  connectionTimeout: 5 * SECOND_MS,
  greetingTimeout: 5 * SECOND_MS,
  socketTimeout: 10 * SECOND_MS,
};
/** How many emails are sent at once. */
export const MAX_CONNECTIONS = 5;
const PLATFORM = 'Shop Platform';

/**
 * Sends the emails of the outbox over SMTP (`SMTP_URL`). Without a server, it writes each to an `.eml` file in `DATA_DIR/mail`, so
 * that developers can read it. With `SMTP_URL=none` it drops them: codes and tokens are stored nowhere in clear text.
 */
@Injectable()
export class MailService implements SendingHandler, OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('Mail');
  private readonly hasFiles: boolean;
  private readonly smtp: Transporter | null;
  /** Emails wait here and not in the pool of connections: the pool would send an email even after its attempt had timed out, and the
   * next attempt would send it again. */
  private readonly slots = new Semaphore(MAX_CONNECTIONS);
  private readonly files = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  private readonly folder: string;
  private readonly from: { readonly name: string; readonly address: string };

  constructor(
    config: AppConfig,
    private readonly templates: Templates,
    private readonly audit: AuditService,
    private readonly handlers: OutboxHandlers,
    private readonly undelivered: UndeliveredEmails,
    private readonly account: MailAccountService,
    private readonly address: PublicUrl,
  ) {
    const { mailServer: url } = config;
    this.hasFiles = url === 'files';
    // `url` is one of the options: after a URL as first argument, the second one would be the defaults of the messages.
    this.smtp =
      this.hasFiles || url === 'none'
        ? null
        : createTransport({ url, pool: true, maxConnections: MAX_CONNECTIONS, ...SMTP_TIMEOUTS });
    this.folder = join(config.dataDir, 'mail');
    this.from = senderOf(config.mailFrom);
  }

  onModuleInit(): void {
    this.handlers.register(EMAIL_TOPIC, this);
  }

  onApplicationShutdown(): void {
    this.smtp?.close();
  }

  async send(item: OutboxItem, signal: AbortSignal): Promise<void> {
    const { smtp } = this;
    if (smtp !== null) await this.sendBy(smtp, item, signal);
    else if (this.hasFiles) await this.writeFile(item, this.messageOf(item));
    else return;
    // Neither its address nor its subject, which can name a buyer.
    this.logger.log('An email was sent');
  }

  private async sendBy(smtp: Transporter, item: OutboxItem, signal: AbortSignal): Promise<void> {
    const { to } = item.payload as Email;
    try {
      await this.slots.run(() => {
        signal.throwIfAborted();
        return smtp.sendMail(this.messageOf(item));
      });
    } catch (error) {
      throw await this.account.refused(to, item.createdAt, error);
    }
    await this.account.accepted(to);
  }

  retryAfter(attempts: number, error: unknown): number | null {
    return retryAfter(attempts, error);
  }

  isTo(payload: unknown, mailbox: string): boolean {
    return mailboxOf((payload as Email).to) === mailbox;
  }

  /**
   * Staff of the shop see in the audit log that an email could not be sent, and to the buyer of which order or with which invitation.
   * The address is not in it.
   */
  async setAside({ id, shopId, payload }: OutboxItem, transaction: Transaction): Promise<void> {
    if (shopId === null) return;
    const { orderId = null, invitationId = null } = (payload ?? {}) as Partial<Email>;
    const write = { action: 'email.failed', subjectId: orderId ?? invitationId ?? id } as const;
    await this.audit.record({ shopId, principal: 'system' }, write, transaction);
    if (orderId !== null) await this.undelivered.report('order', shopId, orderId, transaction);
    if (invitationId !== null) await this.undelivered.report('invitation', shopId, invitationId, transaction);
  }

  private messageOf({ id, payload, createdAt }: OutboxItem): SendMailOptions & EmailBody {
    const email = payload as Email;
    const { to, subject, shop } = email;
    const name = shop?.displayName ?? (this.from.name || PLATFORM);
    const { address } = this.from;
    return {
      from: { name, address },
      ...(shop === null || shop.supportEmail === null ? {} : { replyTo: mailbox(shop.supportEmail) }),
      ...{ to: mailbox(to), subject, date: createdAt },
      // A repeated email has the same id, so mail programs can show it once.
      messageId: `<${id}@${address.slice(address.lastIndexOf('@') + 1)}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      ...bodyOf(email, name, this.templates, this.address.base()),
    };
  }

  private async writeFile({ id, createdAt }: OutboxItem, message: SendMailOptions & EmailBody): Promise<void> {
    const { message: bytes } = await this.files.sendMail(readable(message));
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const name = `${createdAt.toISOString().replaceAll(':', '-')}-${id}`;
    // Renamed when it is complete, so that a program that watches the folder never reads half an email.
    const partial = join(this.folder, `.${name}.part`);
    await writeFile(partial, bytes as Buffer, { mode: 0o600 });
    await rename(partial, join(this.folder, `${name}.eml`));
  }
}

/** An address as an object: nodemailer would parse a string as a list of names and addresses. */
function mailbox(address: string): { readonly name: string; readonly address: string } {
  return { name: '', address };
}

/** The same email without an encoding of its lines, so that people and scripts can read the file. Mail servers would not accept it. */
function readable({ text, html, ...message }: SendMailOptions & EmailBody): SendMailOptions {
  const raw = (type: string, content: string): { raw: string } => ({
    raw: `Content-Type: text/${type}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n${content}`,
  });
  return { ...message, text: raw('plain', text), html: raw('html', html) };
}
