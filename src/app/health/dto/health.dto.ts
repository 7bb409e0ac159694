import { ApiSchema } from '@nestjs/swagger';
import {
  MAIL_DESTINATIONS,
  MAIL_PROBLEMS,
  type MailDestination,
  type MailProblem,
} from '../../../events/mail/mail-state.service.js';
import { COUNTING_PLACES, type CountingPlace } from '../../../http/throttling/limit-storage.js';
import {
  ChoiceField,
  IntegerField,
  ObjectField,
  ObjectListField,
  StringField,
  TimestampField,
} from '../../../http/validation/fields.js';
import { DISK_STATES, type DiskState } from '../data-disk.js';

@ApiSchema({ description: 'The result of a health check.' })
export class HealthDto {
  @ChoiceField({
    oneOf: ['ok'],
    example: 'ok',
    description: 'Always `ok`. When the check fails, the response is an error.',
  })
  status!: 'ok';
}

@ApiSchema({ description: 'A job that runs in the background, as this process has run it.' })
export class JobDto {
  @StringField({ maxLength: 40, description: 'The name of the job.', example: 'order-expiry' })
  name!: string;

  @TimestampField({
    nullable: true,
    description: 'When the latest round without an error ended; null if there was none.',
    example: '2026-11-21T12:00:00.000Z',
  })
  lastFinishedAt!: string | null;

  @IntegerField({
    minimum: 0,
    maximum: 1_000_000_000,
    description: 'How many rounds have failed since then; 0 if the job works.',
    example: 0,
  })
  failuresInRow!: number;

  @TimestampField({
    nullable: true,
    description: 'When the latest round failed; null if none has failed.',
    example: null,
  })
  lastFailedAt!: string | null;

  @StringField({
    nullable: true,
    maxLength: 100,
    description: 'The kind of that error; null if no round has failed. The log has the details.',
    example: null,
  })
  lastError!: string | null;
}

@ApiSchema({ description: 'Messages that leave the service, such as emails. All processes share them.' })
export class OutboxStateDto {
  @IntegerField({
    minimum: 0,
    maximum: 100,
    description:
      'How many messages were given up in the last 24 hours, after their last attempt; 100 means 100 or more.',
    example: 0,
  })
  failedInLastDay!: number;

  @TimestampField({
    nullable: true,
    description: 'When the latest of them was given up; null if there was none.',
    example: null,
  })
  lastFailedAt!: string | null;
}

@ApiSchema({ description: 'Whether emails leave the service. All processes share them.' })
export class MailStateDto extends OutboxStateDto {
  @ChoiceField({
    oneOf: MAIL_DESTINATIONS,
    description:
      'Where emails go (`SMTP_URL`): to a mail server, to files in `DATA_DIR/mail`, or nowhere, because emails are switched off.',
    example: 'smtp',
  })
  destination!: MailDestination;

  @ChoiceField({
    nullable: true,
    oneOf: MAIL_PROBLEMS,
    description:
      'What the operator must mend: `account_refused` when the mail server has refused emails to three domains and accepted none since, ' +
      'because of a limit, a sender that is not verified, or a relay that is denied. The emails are retried. null: no such problem.',
    example: null,
  })
  problem!: MailProblem | null;

  @IntegerField({
    minimum: 0,
    maximum: 100,
    description: 'How many emails are not sent yet; 100 means 100 or more.',
    example: 3,
  })
  waiting!: number;

  @TimestampField({
    nullable: true,
    description: 'When the oldest of them was written; null if none waits.',
    example: '2026-11-21T12:00:00.000Z',
  })
  oldestAt!: string | null;

  @StringField({
    nullable: true,
    maxLength: 100,
    description:
      'Why emails wait: the kind of error of an attempt to send one of them; null if no attempt has failed. `ESOCKET`, ' +
      '`ECONNECTION`, `ETIMEDOUT` and `EDNS`: the mail server cannot be reached. `EAUTH`: it rejected the login. `EENVELOPE`: ' +
      'it rejected an address for now. `EmailRefused`: it refused the email, perhaps because of the account of the service.',
    example: 'Error ESOCKET',
  })
  lastError!: string | null;
}

@ApiSchema({ description: 'The readiness of the service, and what works around its requests.' })
export class ReadinessDto extends HealthDto {
  @ObjectListField(
    {
      maxItems: 100,
      description: 'The background jobs. Each process has its own rounds.',
      example: [
        {
          name: 'order-expiry',
          lastFinishedAt: '2026-11-21T12:00:00.000Z',
          failuresInRow: 0,
          lastFailedAt: null,
          lastError: null,
        },
      ],
    },
    () => JobDto,
  )
  jobs!: JobDto[];

  @ObjectField(
    {
      description: 'Messages that leave the service: emails, webhooks and events.',
      example: { failedInLastDay: 0, lastFailedAt: null },
    },
    () => OutboxStateDto,
  )
  outbox!: OutboxStateDto;

  @ObjectField(
    {
      description: 'Whether emails leave the service.',
      example: {
        destination: 'smtp',
        problem: null,
        waiting: 3,
        oldestAt: '2026-11-21T12:00:00.000Z',
        lastError: 'Error ESOCKET',
        failedInLastDay: 0,
        lastFailedAt: null,
      },
    },
    () => MailStateDto,
  )
  mail!: MailStateDto;

  @ChoiceField({
    oneOf: COUNTING_PLACES,
    description:
      'Where this process counts requests for the rate limits: for itself (without `REDIS_URL`), in Redis with the other processes, or ' +
      '`redis_unavailable`: Redis cannot be reached or stores nothing, so each process counts for itself, and logins and codes respond ' +
      'with 503.',
    example: 'redis',
  })
  limitsCountedIn!: CountingPlace;

  @ChoiceField({
    oneOf: DISK_STATES,
    description:
      'The space on the disk of `DATA_DIR`, which has the database unless `MONGODB_URI` is set: `low` below 1 GiB, `full` below ' +
      '100 MiB. On a full disk, reads go on and writes respond with 503.',
    example: 'ok',
  })
  dataDisk!: DiskState;

  @StringField({
    nullable: true,
    maxLength: 40,
    description:
      'The version of the service. Only requests from its own computer get it, unless `SHOW_VERSION` is `true`; others get null.',
    example: '2.0.0',
  })
  version!: string | null;

  @StringField({
    nullable: true,
    maxLength: 80,
    description:
      'The id of the commit that was built, under the same condition; null also when it was unknown at the build. `-dirty` at its ' +
      'end: files were changed since.',
    example: '6fbb1b0bcd57ea1b307feba3770618c18ac1ef8b',
  })
  commit!: string | null;
}
