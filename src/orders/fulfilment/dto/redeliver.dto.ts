import { ApiSchema } from '@nestjs/swagger';
import { REDELIVERY_PROBLEMS } from '../../../delivery/deliveries/follow-ups.js';
import {
  ChoiceField,
  IdField,
  IdListField,
  IntegerField,
  ObjectListField,
  StringField,
} from '../../../http/validation/fields.js';
import { MAX_REDELIVERED } from '../bulk-redelivery.service.js';

@ApiSchema({ description: 'Why staff queue failed deliveries again, and which: `failure` or `deliveryIds`.' })
export class RedeliverManyDto {
  @StringField({
    maxLength: 200,
    description: 'Why. It is in the history of each order and in the audit log.',
    example: 'LuckPerms is back',
  })
  reason!: string;

  @IdField({
    optional: true,
    description: `Those that failed for this reason: the \`key\` of a group of \`GET /deliveries/{shopId}/failures\`. At most ${MAX_REDELIVERED}.`,
    example: '3f0c81260655f1c2ab1e4a9d',
  })
  failure?: string;

  @IdField({
    optional: true,
    description: 'With `failure`: only those for this game server.',
    example: '655f1c2ab1e4a9d3f0c81260',
  })
  serverId?: string;

  @IdListField({
    optional: true,
    minItems: 1,
    maxItems: MAX_REDELIVERED,
    description: 'These deliveries. Not together with `failure`.',
    example: ['655f1c2ab1e4a9d3f0c812a0'],
  })
  deliveryIds?: string[];
}

@ApiSchema({ description: 'A delivery that was not queued again, and why.' })
export class LeftDeliveryDto {
  @IdField({ description: 'The delivery.', example: '655f1c2ab1e4a9d3f0c812a1' })
  deliveryId!: string;

  @ChoiceField({
    oneOf: REDELIVERY_PROBLEMS,
    description:
      '`not_found`: the shop has no such delivery. `not_failed`: it waits, runs or was delivered. `money_elsewhere`: the shop does not have ' +
      'the money of the order, or no longer the buyer for a revocation. `server_deleted`: its game server was deleted.',
    example: 'not_failed',
  })
  problem!: string;
}

@ApiSchema({ description: 'What was queued again, and what was not.' })
export class RedeliveredManyDto {
  @IntegerField({ minimum: 0, maximum: MAX_REDELIVERED, description: 'How many deliveries were queued.', example: 2 })
  queued!: number;

  @IntegerField({ minimum: 0, maximum: MAX_REDELIVERED, description: 'Of how many orders.', example: 2 })
  orders!: number;

  @ObjectListField(
    {
      maxItems: MAX_REDELIVERED,
      description: 'What was not queued.',
      example: [{ deliveryId: '655f1c2ab1e4a9d3f0c812a1', problem: 'not_failed' }],
    },
    () => LeftDeliveryDto,
  )
  left!: LeftDeliveryDto[];

  @IntegerField({
    minimum: 0,
    maximum: 1_000,
    description: 'How many more deliveries failed for this reason: send the request again for them.',
    example: 0,
  })
  remaining!: number;
}
