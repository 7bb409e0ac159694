import { ApiSchema } from '@nestjs/swagger';
import {
  BooleanField,
  ChoiceField,
  IdField,
  IntegerField,
  ObjectListField,
  StringField,
  StringListField,
  TimestampField,
} from '../../../http/validation/fields.js';
import { MAX_OUTPUT_LENGTH } from '../delivery-rules.js';
import { ATTEMPT_RESULTS, DELIVERY_KINDS, DELIVERY_STATES } from '../delivery.types.js';

@ApiSchema({ description: 'One lease of a delivery, and what the plugin reported about it.' })
export class DeliveryAttemptDto {
  @IntegerField({ minimum: 1, maximum: 1_000_000, description: 'The number of the attempt.', example: 1 })
  attempt!: number;

  @IdField({ description: 'The game server whose plugin leased it.', example: '655f1c2ab1e4a9d3f0c81260' })
  serverId!: string;

  @StringField({ maxLength: 32, description: 'The player that the commands were for.', example: 'Steve_42' })
  nickname!: string;

  @StringField({ maxLength: 64, description: 'Who leased it.', example: 'key:655f1c2ab1e4a9d3f0c81240' })
  leasedBy!: string;

  @TimestampField({ description: 'When it was leased.', example: '2026-11-21T12:00:00.000Z' })
  leasedAt!: string;

  @TimestampField({ description: 'When the lease ended, or ends.', example: '2026-11-21T12:02:00.000Z' })
  leaseUntil!: string;

  @ChoiceField({
    nullable: true,
    oneOf: ATTEMPT_RESULTS,
    description: 'What the plugin reported; null while it reported nothing.',
    example: 'delivered',
  })
  result!: string | null;

  @StringField({
    nullable: true,
    minLength: 0,
    maxLength: MAX_OUTPUT_LENGTH,
    description: `What the console printed, at most ${MAX_OUTPUT_LENGTH} characters.`,
    example: 'Gave 1 [Diamond] to Steve_42',
  })
  output!: string | null;

  @TimestampField({
    nullable: true,
    description: 'When the plugin reported; null while it reported nothing.',
    example: '2026-11-21T12:00:01.000Z',
  })
  acknowledgedAt!: string | null;
}

@ApiSchema({
  description:
    'The commands that a plugin runs for one item of an order: for its purchase, its revocation or its expiry.',
})
export class DeliveryDto {
  @IdField({ description: 'The delivery.', example: '655f1c2ab1e4a9d3f0c812a0' })
  id!: string;

  @IdField({ description: 'The order.', example: '655f1c2ab1e4a9d3f0c81250' })
  orderId!: string;

  @IdField({
    nullable: true,
    description: 'The game server that it is for; null: the one that leases it first.',
    example: '655f1c2ab1e4a9d3f0c81260',
  })
  serverId!: string | null;

  @ChoiceField({
    oneOf: DELIVERY_KINDS,
    description:
      '`purchase` delivers what was bought. `take_back` revokes it after a full refund or a lost dispute. `expiry` ends it ' +
      '`durationDays` after the delivery.',
    example: 'purchase',
  })
  kind!: string;

  @IntegerField({
    minimum: 0,
    maximum: 49,
    description: 'The item of the order: its index in `items`, from 0.',
    example: 0,
  })
  position!: number;

  @StringField({ maxLength: 32, description: 'The player that the commands are for.', example: 'Steve_42' })
  nickname!: string;

  @BooleanField({ description: 'Whether it waits until the player is online.', example: false })
  requiresOnline!: boolean;

  @BooleanField({
    description: 'Whether its order is a rehearsal of staff: nobody has paid. The commands run as for a sale.',
    example: false,
  })
  rehearsal!: boolean;

  @ChoiceField({
    oneOf: DELIVERY_STATES,
    description:
      '`queued` waits for a plugin, `held` waits because the payment is disputed or needs a review, `leased` is with a plugin, ' +
      '`handed_over` was given to a game server that never confirms, and counts as delivered. `uncertain` was sent, and nobody saw what became ' +
      'of it: staff or the plugin decide. `failed` waits for staff. `revoked` does not run: a purchase because the buyer got the money back before, a revocation or ' +
      'an expiry because it is not needed any more.',
    example: 'delivered',
  })
  state!: string;

  @TimestampField({
    nullable: true,
    description:
      'The earliest time at which a plugin can lease it; null unless it is queued. For an expiry: when the item expires.',
    example: null,
  })
  dueAt!: string | null;

  @TimestampField({
    nullable: true,
    description: 'When the lease ends; null unless it is leased. After that time it can be leased again.',
    example: null,
  })
  leaseUntil!: string | null;

  @StringListField({
    nullable: true,
    maxItems: 10_000,
    maxLength: 1_000,
    description:
      'What the plugin runs, in this order; `attempts` have what the console printed. null when it must not run, because the nickname is ' +
      'not safe in it or stands for an erased buyer.',
    example: ['give Steve_42 vip 1'],
  })
  commands!: string[] | null;

  @ObjectListField(
    {
      maxItems: 1_000,
      description: 'Every attempt, oldest first.',
      example: [
        {
          attempt: 1,
          serverId: '655f1c2ab1e4a9d3f0c81260',
          nickname: 'Steve_42',
          leasedBy: 'key:655f1c2ab1e4a9d3f0c81240',
          leasedAt: '2026-11-21T12:00:00.000Z',
          leaseUntil: '2026-11-21T12:02:00.000Z',
          result: 'delivered',
          output: 'Gave 1 [Diamond] to Steve_42',
          acknowledgedAt: '2026-11-21T12:00:01.000Z',
        },
      ],
    },
    () => DeliveryAttemptDto,
  )
  attempts!: DeliveryAttemptDto[];

  @TimestampField({ description: 'When it was queued.', example: '2026-11-21T11:59:58.000Z' })
  createdAt!: string;
}
