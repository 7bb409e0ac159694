import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { type OutboxBacklog, type OutboxFailures, OutboxStateService } from '../outbox/outbox-state.service.js';
import { EMAIL_TOPIC } from './emails.service.js';

/** Where emails go: to a mail server, to files in `DATA_DIR`, or nowhere. */
export const MAIL_DESTINATIONS = ['smtp', 'files', 'none'] as const;
export type MailDestination = (typeof MAIL_DESTINATIONS)[number];

/** Whether emails leave the service. */
export interface MailState extends OutboxBacklog, OutboxFailures {
  readonly destination: MailDestination;
}

/** The state of the emails of all processes, for the operator. */
@Injectable()
export class MailStateService {
  constructor(
    private readonly config: AppConfig,
    private readonly outbox: OutboxStateService,
  ) {}

  async read(): Promise<MailState> {
    const { mailServer } = this.config;
    const [backlog, failures] = await Promise.all([
      this.outbox.backlog(EMAIL_TOPIC),
      this.outbox.failures(EMAIL_TOPIC),
    ]);
    const destination = mailServer === 'files' || mailServer === 'none' ? mailServer : 'smtp';
    return { destination, ...backlog, ...failures };
  }
}
