import { ApiSchema, PickType } from '@nestjs/swagger';
import {
  BooleanField,
  IdField,
  IntegerField,
  ObjectListField,
  StringListField,
  TimestampField,
} from '../../../http/validation/fields.js';
import { ReportedNamesField } from '../../../http/validation/reported-fields.js';
import { MAX_COMMANDS } from '../../../catalogue/commands/command-template.js';
import { DeliveryDto } from '../../../delivery/deliveries/dto/delivery.dto.js';

const MAX_LIMIT = 100;
const MAX_PLAYERS = 1_000;

/** How long a lease lasts. */
export const LeaseSecondsField = (description: string): PropertyDecorator =>
  IntegerField({
    optional: true,
    minimum: 30,
    maximum: 600,
    description: `${description} Unless it is sent, the service decides: usually 120.`,
    example: 120,
  });

@ApiSchema({ description: 'The game server of the plugin, and the players on it.' })
export class LeaseDeliveriesDto {
  @IdField({ description: 'The game server of the plugin.', example: '655f1c2ab1e4a9d3f0c81260' })
  serverId!: string;

  @ReportedNamesField({
    optional: true,
    maxItems: MAX_PLAYERS,
    description:
      'The nicknames of the players who are online; upper and lower case are the same. Deliveries that require a player ' +
      'online are leased only while that player is named. Names that no order can have are ignored.',
    default: [],
    example: ['Steve_42'],
  })
  players?: string[];

  @IntegerField({
    optional: true,
    minimum: 1,
    maximum: MAX_LIMIT,
    description: 'How many deliveries to lease at most: no more than the plugin runs before the lease ends.',
    default: 50,
    example: 50,
  })
  limit?: number;

  @LeaseSecondsField('For how many seconds nobody else gets the deliveries: as long as the plugin needs for them.')
  leaseSeconds?: number;

  @BooleanField({
    optional: true,
    description:
      'Whether the plugin acknowledges `begun` before the first command of each delivery. Then a delivery that it has not begun when the lease ' +
      'ends did not run: it loses no attempt, and the next lease has it with `possiblyExecuted: false`.',
    default: false,
    example: true,
  })
  saysBegun?: boolean;
}

@ApiSchema({ description: 'A delivery that the plugin must run and acknowledge.' })
export class LeasedDeliveryDto extends PickType(DeliveryDto, [
  'orderId',
  'kind',
  'nickname',
  'requiresOnline',
  'rehearsal',
]) {
  @IdField({ description: 'The delivery.', example: '655f1c2ab1e4a9d3f0c812a0' })
  deliveryId!: string;

  @IntegerField({ minimum: 1, maximum: 1_000_000, description: 'The number of this attempt.', example: 1 })
  attempt!: number;

  @IntegerField({
    minimum: 1,
    maximum: 1_000_000,
    description:
      'Which time the delivery runs: one more each time staff or the shop queue it again. A plugin that keeps what it ran (in the record of the ' +
      'player, or in a journal) uses `deliveryId:run` as the key.',
    example: 1,
  })
  run!: number;

  @TimestampField({ description: 'When the lease ends.', example: '2026-11-21T12:02:00.000Z' })
  leaseUntil!: string;

  @StringListField({
    maxItems: MAX_COMMANDS,
    maxLength: 500,
    description:
      'The commands for the console, in this order. The plugin fills in `{uuid}`. A template without `{quantity}` is in it once for each unit.',
    example: ['lp user Steve_42 parent add vip'],
  })
  commands!: string[];

  @BooleanField({
    description:
      'Whether an earlier attempt of this run, which was neither reported nor released, may have run the commands (see `saysBegun`).',
    example: false,
  })
  possiblyExecuted!: boolean;
}

@ApiSchema({ description: 'The deliveries for a plugin to run now.' })
export class LeaseDto {
  @ObjectListField(
    {
      maxItems: MAX_LIMIT,
      description: 'The deliveries. Those that have waited longest come first.',
      example: [
        {
          deliveryId: '655f1c2ab1e4a9d3f0c812a0',
          orderId: '655f1c2ab1e4a9d3f0c81250',
          attempt: 1,
          run: 1,
          leaseUntil: '2026-11-21T12:02:00.000Z',
          kind: 'purchase',
          nickname: 'Steve_42',
          requiresOnline: false,
          rehearsal: false,
          commands: ['lp user Steve_42 parent add vip'],
          possiblyExecuted: false,
        },
      ],
    },
    () => LeasedDeliveryDto,
  )
  deliveries!: LeasedDeliveryDto[];

  @IntegerField({ minimum: 1, maximum: 3600, description: 'Seconds until the next lease request.', example: 10 })
  nextPollSeconds!: number;
}
