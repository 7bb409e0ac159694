import { ApiSchema } from '@nestjs/swagger';
import {
  BooleanField,
  ChoiceField,
  IdField,
  IntegerField,
  ObjectField,
  ObjectListField,
  StringField,
  StringListField,
  TimestampField,
} from '../../../http/validation/fields.js';
import { MAX_GROUPED } from '../failed-deliveries.service.js';
import { FAILURE_CAUSES, MAX_REASON_LENGTH } from '../failure-rules.js';

export class FailuresQuery {
  @IdField({
    optional: true,
    description: 'Only deliveries for this game server.',
    example: '655f1c2ab1e4a9d3f0c81260',
  })
  serverId?: string;
}

@ApiSchema({ description: 'A failed delivery.' })
export class LatestFailureDto {
  @IdField({ description: 'The delivery.', example: '655f1c2ab1e4a9d3f0c812a0' })
  deliveryId!: string;

  @IdField({ description: 'Its order.', example: '655f1c2ab1e4a9d3f0c81250' })
  orderId!: string;
}

@ApiSchema({ description: 'Deliveries that failed for the same reason.' })
export class FailureGroupDto {
  @StringField({
    maxLength: 24,
    description:
      'Names the reason, for `POST /deliveries/{shopId}/redeliver`. The same reason always has the same key.',
    example: '3f0c81260655f1c2ab1e4a9d',
  })
  key!: string;

  @ChoiceField({
    oneOf: FAILURE_CAUSES,
    description:
      '`printed`: the plugin reported a failure, with an output of the console. `reported`: without an output. `unconfirmed`: the last ' +
      'attempt ended without a report. `not_run`: no plugin had it, because its game server was deleted or its commands must not run.',
    example: 'printed',
  })
  cause!: string;

  @StringField({
    nullable: true,
    maxLength: MAX_REASON_LENGTH,
    description:
      'What the console printed at the last attempt, without what differs between players: `{nickname}` stands for the player, `#` for ' +
      'numbers and ids. null unless the cause is `printed`.',
    example: 'Unknown command: lp. Type "/help" for help.',
  })
  reason!: string | null;

  @IntegerField({ minimum: 1, maximum: MAX_GROUPED, description: 'How many deliveries.', example: 3 })
  count!: number;

  @StringListField({
    maxItems: MAX_GROUPED,
    maxLength: 24,
    description: 'The game servers that they are for, without those that any server could have leased.',
    example: ['655f1c2ab1e4a9d3f0c81260'],
  })
  serverIds!: string[];

  @TimestampField({
    nullable: true,
    description: 'When the first of them failed; null when no attempt tells.',
    example: '2026-11-21T13:41:22.000Z',
  })
  firstAt!: string | null;

  @TimestampField({
    nullable: true,
    description: 'When the last of them failed; null when no attempt tells.',
    example: '2026-11-21T13:47:51.000Z',
  })
  lastAt!: string | null;

  @ObjectField(
    {
      description: 'The newest of them.',
      example: { deliveryId: '655f1c2ab1e4a9d3f0c812a0', orderId: '655f1c2ab1e4a9d3f0c81250' },
    },
    () => LatestFailureDto,
  )
  latest!: LatestFailureDto;
}

@ApiSchema({ description: 'The failed deliveries of a shop by their reason.' })
export class FailuresDto {
  @ObjectListField(
    {
      maxItems: MAX_GROUPED,
      description: 'The reasons, the most frequent one first.',
      example: [
        {
          key: '3f0c81260655f1c2ab1e4a9d',
          cause: 'printed',
          reason: 'Unknown command: lp. Type "/help" for help.',
          count: 3,
          serverIds: ['655f1c2ab1e4a9d3f0c81260'],
          firstAt: '2026-11-21T13:41:22.000Z',
          lastAt: '2026-11-21T13:47:51.000Z',
          latest: { deliveryId: '655f1c2ab1e4a9d3f0c812a0', orderId: '655f1c2ab1e4a9d3f0c81250' },
        },
      ],
    },
    () => FailureGroupDto,
  )
  groups!: FailureGroupDto[];

  @IntegerField({
    minimum: 0,
    maximum: MAX_GROUPED,
    description: 'How many failed deliveries are in the groups.',
    example: 3,
  })
  counted!: number;

  @BooleanField({
    description: `Whether these are all. At most the latest ${MAX_GROUPED} are grouped.`,
    example: true,
  })
  isComplete!: boolean;
}
