import { ApiSchema } from '@nestjs/swagger';
import { PageQuery, positionIn } from '../../../http/paging/page.query.dto.js';
import { TIME_POSITION_BYTES } from '../../../lib/paging/time-position.js';
import {
  ChoiceField,
  IdField,
  InstantField,
  IntegerField,
  ObjectListField,
  StringField,
  TimestampField,
} from '../../../http/validation/fields.js';
import { type Moment } from '../../../lib/time/instant.js';
import { MAX_STORED_ATTEMPTS, WEBHOOK_DELIVERY_STATES, type WebhookDeliveryState } from '../webhook-delivery.types.js';
import { MAX_REPLAYED } from '../webhook-log.service.js';
import { MAX_RESPONSE_BYTES } from '../webhook-sender.js';

/** Every string of this form and length is a position. */
const CURSOR = {
  minLength: 24,
  maxLength: 24,
  pattern: { regex: /^[A-Za-z0-9_-]+$/, says: 'must be `next` of a previous response' },
};
const CURSOR_EXAMPLE = 'AZqyCQAAZV8cKrHkqdPwyBLR';
const ATTEMPT_EXAMPLE = {
  at: '2026-11-21T12:00:00.000Z',
  status: 200,
  error: null,
  durationMs: 120,
  response: 'ok',
};

export class ListWebhookDeliveriesQuery extends PageQuery {
  @ChoiceField({
    optional: true,
    oneOf: WEBHOOK_DELIVERY_STATES,
    description: 'Only deliveries in this state.',
    example: 'failed',
  })
  state?: WebhookDeliveryState;
}

@ApiSchema({ description: 'One attempt to deliver an event.' })
export class WebhookAttemptDto {
  @TimestampField({ description: 'When it began.', example: '2026-11-21T12:00:00.000Z' })
  at!: string;

  @IntegerField({
    nullable: true,
    minimum: 100,
    maximum: 999,
    description: 'The status of the response; null if there was no response.',
    example: 200,
  })
  status!: number | null;

  @StringField({
    nullable: true,
    maxLength: 60,
    description:
      'Why there was no response, such as `timeout` or `address_not_public`; null otherwise. `switched_off`: nothing was sent, ' +
      'because the webhook was off when the attempt was due. `service_failed`: the service gave up because of its own fault.',
    example: null,
  })
  error!: string | null;

  @IntegerField({ minimum: 0, maximum: 1e9, description: 'How long it took, in milliseconds.', example: 120 })
  durationMs!: number;

  @StringField({
    nullable: true,
    minLength: 0,
    maxLength: MAX_RESPONSE_BYTES,
    anyCharacter: true,
    description: `The first ${MAX_RESPONSE_BYTES} bytes of the response; null if there was no response.`,
    example: 'ok',
  })
  response!: string | null;
}

@ApiSchema({ description: 'The delivery of an event to a webhook, and its state.' })
export class WebhookDeliveryDto {
  @IdField({ description: 'The delivery.', example: '655f1c2ab1e4a9d3f0c812d1' })
  id!: string;

  @StringField({ maxLength: 40, description: 'The event.', example: 'order.paid' })
  type!: string;

  @IdField({
    description: 'The header `webhook-id`: the same in every attempt and in every replay.',
    example: '655f1c2ab1e4a9d3f0c812e0',
  })
  eventId!: string;

  @ChoiceField({
    oneOf: WEBHOOK_DELIVERY_STATES,
    description:
      '`waiting`: it is sent or retried. `failed`: all attempts failed, or the webhook was switched off. Deliveries that have ended ' +
      'can be replayed.',
    example: 'delivered',
  })
  state!: WebhookDeliveryState;

  @ObjectListField(
    { maxItems: MAX_STORED_ATTEMPTS, description: 'The latest attempts, oldest first.', example: [ATTEMPT_EXAMPLE] },
    () => WebhookAttemptDto,
  )
  attempts!: WebhookAttemptDto[];

  @TimestampField({
    nullable: true,
    description: 'When the next attempt is due; null: as soon as possible, or never.',
    example: null,
  })
  nextAttemptAt!: string | null;

  @TimestampField({ description: 'When the event was queued for this webhook.', example: '2026-11-21T12:00:00.000Z' })
  createdAt!: string;
}

@ApiSchema({ description: 'The deliveries to replay.' })
export class ReplayDeliveriesDto {
  @InstantField({ description: 'Those created at this time or later.', example: '2026-11-21T12:00:00.000Z' })
  from!: Moment;

  @InstantField({ description: 'Those created before this time.', example: '2026-11-21T18:00:00.000Z' })
  to!: Moment;

  @StringField({
    optional: true,
    ...CURSOR,
    description: '`next` of the previous response, to continue after it. Send the same `from` and `to`.',
    example: CURSOR_EXAMPLE,
  })
  cursor?: string;

  /** @throws AppError malformed_cursor */
  get after(): string | null {
    return positionIn(this.cursor, TIME_POSITION_BYTES);
  }
}

@ApiSchema({ description: 'The result of a replay.' })
export class ReplayedDeliveriesDto {
  @IntegerField({
    minimum: 0,
    maximum: MAX_REPLAYED,
    description: 'How many deliveries are replayed.',
    example: 12,
  })
  replayed!: number;

  @StringField({
    nullable: true,
    ...CURSOR,
    description: 'Send this as `cursor` to replay the next batch; null if there are no more deliveries.',
    example: null,
  })
  next!: string | null;
}
