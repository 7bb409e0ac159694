import { type Totals } from '../../infrastructure/totals/totals.js';

export type OutboxTotal =
  'outbox_waiting' | 'outbox_oldest_age_seconds' | 'outbox_messages_last_hour' | 'outbox_given_up_last_hour';

export const OUTBOX_TOTALS: Totals<OutboxTotal>['gauges'] = {
  outbox_waiting: { help: 'Messages that are not sent yet, by topic', labels: ['topic'] },
  outbox_oldest_age_seconds: { help: 'The age of the oldest message that is not sent yet', labels: ['topic'] },
  outbox_messages_last_hour: { help: 'Messages of the last hour, by topic and state', labels: ['topic', 'state'] },
  outbox_given_up_last_hour: {
    help: 'Messages that were given up in the last hour, after their last attempt or because their receiver rejected them, by topic',
    labels: ['topic'],
  },
};
