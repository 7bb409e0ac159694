import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { type Totals } from '../../infrastructure/totals/totals.js';
import { type OutboxBacklog, type OutboxFailures, OutboxStateService } from '../outbox/outbox-state.service.js';
import { EMAIL_TOPIC } from './emails.service.js';
import { MailAccountService } from './mail-account.service.js';

/** Where emails go: to a mail server, to files in `DATA_DIR`, or nowhere. */
export const MAIL_DESTINATIONS = ['smtp', 'files', 'none'] as const;
export type MailDestination = (typeof MAIL_DESTINATIONS)[number];

/** What only the operator can mend: the mail server refuses the account of the service, so no email arrives. */
export const MAIL_PROBLEMS = ['account_refused'] as const;
export type MailProblem = (typeof MAIL_PROBLEMS)[number];

/** Whether emails leave the service. */
export interface MailState extends OutboxBacklog, OutboxFailures {
  readonly destination: MailDestination;
  readonly problem: MailProblem | null;
}

/** The state of the emails of all processes, for the operator. */
@Injectable()
export class MailStateService {
  constructor(
    private readonly config: AppConfig,
    private readonly outbox: OutboxStateService,
    private readonly account: MailAccountService,
  ) {}

  async read(): Promise<MailState> {
    const [backlog, failures, problem] = await Promise.all([
      this.outbox.backlog(EMAIL_TOPIC),
      this.outbox.failures(EMAIL_TOPIC),
      this.problem(),
    ]);
    return { destination: this.destination, problem, ...backlog, ...failures };
  }

  async problem(): Promise<MailProblem | null> {
    if (this.destination !== 'smtp') return null;
    return (await this.account.isRefused()) ? 'account_refused' : null;
  }

  /** Whether the mail server refuses the account of the service. */
  totals(): Totals<'mail_account_refused'> {
    const help = 'Whether the mail server refuses the emails of the service (1) or not (0)';
    return {
      gauges: { mail_account_refused: { help, labels: [] } },
      read: async () => ({
        mail_account_refused: [{ labels: {}, value: (await this.problem()) === null ? 0 : 1 }],
      }),
    };
  }

  get destination(): MailDestination {
    const { mailServer } = this.config;
    return mailServer === 'files' || mailServer === 'none' ? mailServer : 'smtp';
  }
}
