import { ApiSchema } from '@nestjs/swagger';
import { PageQuery, positionIn } from '../../../platform/http/page.query.dto.js';
import { TIME_POSITION_BYTES } from '../../../platform/http/time-position.js';
import {
  ChoiceField,
  IdField,
  InstantField,
  IntegerField,
  ObjectListField,
  TextField,
  TimestampField,
} from '../../../platform/validation/fields.js';
import { MAX_TRIES_KEPT, WEBHOOK_DELIVERY_STATES, type WebhookDeliveryState } from '../webhook-delivery.types.js';
import { MAX_REPLAYED } from '../webhook-log.service.js';
import { MAX_RESPONSE_BYTES } from '../webhook-sender.js';

/** Every text of this form and length is a position. */
const CURSOR = {
  minLength: 24,
  maxLength: 24,
  pattern: { regex: /^[A-Za-z0-9_-]+$/, says: 'must be `next` of an earlier response' },
};
const CURSOR_EXAMPLE = 'AZqyCQAAZV8cKrHkqdPwyBLR';
const TRY_EXAMPLE = {
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

@ApiSchema({ description: 'One try to deliver an event.' })
export class DeliveryTryDto {
  @TimestampField({ description: 'When it began.', example: '2026-11-21T12:00:00.000Z' })
  at!: string;

  @IntegerField({
    nullable: true,
    minimum: 100,
    maximum: 999,
    description: 'The status of the answer; null: there was none.',
    example: 200,
  })
  status!: number | null;

  @TextField({
    nullable: true,
    maxLength: 60,
    description:
      'Why there was no answer, such as `timeout` or `address_not_public`; null: there was one. `switched_off`: nothing was sent, ' +
      'because the webhook was off when the try was due. `service_failed`: the service gave it up for a fault of its own.',
    example: null,
  })
  error!: string | null;

  @IntegerField({ minimum: 0, maximum: 1e9, description: 'How long it took, in milliseconds.', example: 120 })
  durationMs!: number;

  @TextField({
    nullable: true,
    minLength: 0,
    maxLength: MAX_RESPONSE_BYTES,
    anyCharacter: true,
    description: `The first ${MAX_RESPONSE_BYTES} bytes of the answer; null: there was none.`,
    example: 'ok',
  })
  response!: string | null;
}

@ApiSchema({ description: 'An event that a webhook gets, and what became of it.' })
export class WebhookDeliveryDto {
  @IdField({ description: 'The delivery.', example: '655f1c2ab1e4a9d3f0c812d1' })
  id!: string;

  @TextField({ maxLength: 40, description: 'The event.', example: 'order.paid' })
  type!: string;

  @IdField({
    description: 'The header `webhook-id`: the same in every try and in every replay.',
    example: '655f1c2ab1e4a9d3f0c812e0',
  })
  eventId!: string;

  @ChoiceField({
    oneOf: WEBHOOK_DELIVERY_STATES,
    description:
      '`waiting`: it is sent, or tried again. `failed`: all tries failed, or the webhook was switched off. Deliveries that have ended ' +
      'can be replayed.',
    example: 'delivered',
  })
  state!: WebhookDeliveryState;

  @ObjectListField(
    { maxItems: MAX_TRIES_KEPT, description: 'The latest tries, oldest first.', example: [TRY_EXAMPLE] },
    () => DeliveryTryDto,
  )
  tries!: DeliveryTryDto[];

  @TimestampField({
    nullable: true,
    description: 'When it is tried next; null: as soon as possible, or not at all.',
    example: null,
  })
  nextTryAt!: string | null;

  @TimestampField({ description: 'When the event was passed on.', example: '2026-11-21T12:00:00.000Z' })
  createdAt!: string;
}

@ApiSchema({ description: 'Which deliveries to send once more.' })
export class ReplayDeliveriesDto {
  @InstantField({ description: 'Those created at this time or later.', example: '2026-11-21T12:00:00.000Z' })
  from!: Date;

  @InstantField({ description: 'Those created before this time.', example: '2026-11-21T18:00:00.000Z' })
  to!: Date;

  @TextField({
    optional: true,
    ...CURSOR,
    description: '`next` of the response before, to go on where it ended. The times are the same as before.',
    example: CURSOR_EXAMPLE,
  })
  cursor?: string;

  /** @throws AppError malformed_cursor */
  get after(): string | null {
    return positionIn(this.cursor, TIME_POSITION_BYTES);
  }
}

@ApiSchema({ description: 'What was replayed.' })
export class ReplayedDeliveriesDto {
  @IntegerField({
    minimum: 0,
    maximum: MAX_REPLAYED,
    description: 'How many deliveries are sent once more.',
    example: 12,
  })
  replayed!: number;

  @TextField({
    nullable: true,
    ...CURSOR,
    description: 'There are more: send this as `cursor` to go on; null: there are no more.',
    example: null,
  })
  next!: string | null;
}
