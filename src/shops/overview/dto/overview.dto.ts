import { ApiSchema, PickType } from '@nestjs/swagger';
import { ALL_PERMISSIONS, ROLE_NAMES } from '../../../domain/principal/permissions.js';
import {
  BooleanField,
  ChoiceField,
  IdField,
  ObjectField,
  ObjectListField,
  StringField,
  TimestampField,
} from '../../../http/validation/fields.js';
import { MAIL_DESTINATIONS } from '../../../events/mail/mail-state.service.js';
import { ComparedDaysDto, CountField } from './compared-days.dto.js';
import { ShopFields } from '../../shops/dto/shop-fields.dto.js';
import { CHECKLIST, NEED_KINDS } from '../overview.types.js';

const KINDS = Object.keys(NEED_KINDS);
const ACTIONS = Object.values(NEED_KINDS).map(({ action }) => action);

@ApiSchema({ description: 'Something that a person must do.' })
export class NeedDto {
  @ChoiceField({ oneOf: KINDS, description: 'What it is.', example: 'delivery_failed' })
  kind!: string;

  @StringField({
    nullable: true,
    maxLength: 255,
    description:
      'The order, game server or webhook by its id, the provider or domain by its name; null: the whole shop.',
    example: '655f1c2ab1e4a9d3f0c81260',
  })
  subject!: string | null;

  @StringField({ nullable: true, maxLength: 255, description: 'What people call the subject.', example: 'Skyblock' })
  name!: string | null;

  @StringField({ maxLength: 3_000, description: 'Why, with the facts.', example: 'Unknown command: lp' })
  reason!: string;

  @TimestampField({ nullable: true, description: 'Since when; null: not known.', example: '2026-11-21T12:00:00.000Z' })
  since!: string | null;

  @CountField('How many there are of the same, at most 1,000.', 3)
  count!: number;

  @ChoiceField({ oneOf: ACTIONS, description: 'The act that ends it.', example: 'redeliver' })
  action!: string;

  @ChoiceField({
    nullable: true,
    oneOf: ALL_PERMISSIONS,
    description: 'The permission that the act needs; null: it is done outside of the shop.',
    example: 'orders:write',
  })
  permission!: string | null;

  @BooleanField({ description: 'Whether the caller has this permission.', example: true })
  mayAct!: boolean;
}

@ApiSchema({ description: 'A step of a new shop until it sells.' })
export class ChecklistStepDto {
  @ChoiceField({ oneOf: CHECKLIST, description: 'The step.', example: 'product' })
  step!: string;

  @BooleanField({ description: 'Whether it is so, as the service has read it.', example: true })
  isDone!: boolean;
}

@ApiSchema({ description: 'The orders that need a person, at most 10,001 of each.' })
export class OverviewOrdersDto {
  @CountField('How many need a decision about their payments.', 2)
  needsReview!: number;

  @CountField('How many are disputed.', 1)
  disputed!: number;
}

@ApiSchema({ description: 'The players on a server.' })
export class OverviewPlayersDto {
  @CountField('How many are online.', 42)
  online!: number;

  @CountField('How many can be.', 100)
  max!: number;
}

@ApiSchema({ description: 'A game server in the overview.' })
export class OverviewServerDto {
  @IdField({ description: 'The server.', example: '655f1c2ab1e4a9d3f0c81260' })
  id!: string;

  @StringField({ maxLength: 80, description: 'Its name.', example: 'Skyblock' })
  name!: string;

  @ChoiceField({ oneOf: ['online', 'offline', 'unknown'], description: 'Its status.', example: 'online' })
  status!: string;

  @ObjectField(
    { nullable: true, description: 'Its players; null while it is not online.', example: null },
    () => OverviewPlayersDto,
  )
  players!: OverviewPlayersDto | null;

  @TimestampField({ nullable: true, description: 'Its last sign of life.', example: '2026-11-21T12:00:00.000Z' })
  lastSeenAt!: string | null;
}

@ApiSchema({ description: 'The deliveries of a game server that are not done.' })
export class OverviewDeliveriesDto {
  @IdField({
    nullable: true,
    description: 'The server; null: the first one that takes them.',
    example: '655f1c2ab1e4a9d3f0c81260',
  })
  serverId!: string | null;

  @CountField('How many wait for it. Of the whole shop, at most 1,000 are counted.', 2)
  waiting!: number;

  @CountField('How many failed. Of the whole shop, the latest 1,000 are counted.', 3)
  failed!: number;
}

@ApiSchema({ description: 'A payment provider in the overview.' })
export class OverviewProviderDto {
  @StringField({ maxLength: 40, description: 'The provider.', example: 'stripe' })
  provider!: string;

  @BooleanField({ description: 'Whether the shop has switched it on.', example: true })
  enabled!: boolean;

  @BooleanField({ description: 'Whether buyers can pay with it now.', example: true })
  canStartPayments!: boolean;

  @TimestampField({ nullable: true, description: 'Since when they cannot because of an error.', example: null })
  failingSince!: string | null;

  @TimestampField({ nullable: true, description: 'When it sent something last.', example: '2026-11-21T12:00:00.000Z' })
  lastEventAt!: string | null;
}

@ApiSchema({ description: 'The webhooks of the shop in numbers.' })
export class OverviewWebhooksDto {
  @CountField('How many are on.', 2)
  active!: number;

  @CountField('How many of these fail now.', 0)
  failing!: number;

  @CountField('How many the service has switched off, because they failed.', 0)
  disabled!: number;
}

@ApiSchema({ description: 'The custom domain in the overview.' })
export class OverviewDomainDto {
  @StringField({ maxLength: 255, description: 'The host.', example: 'shop.example.com' })
  hostname!: string;

  @ChoiceField({ oneOf: ['pending', 'verified'], description: 'Whether it is verified.', example: 'verified' })
  status!: string;
}

@ApiSchema({ description: 'Whether emails leave the service.' })
export class OverviewMailDto {
  @ChoiceField({ oneOf: MAIL_DESTINATIONS, description: 'Where emails go.', example: 'smtp' })
  destination!: string;

  @BooleanField({ description: 'Whether the mail server refuses the account of the service.', example: false })
  isRefused!: boolean;
}

@ApiSchema({ description: 'Somebody who manages the shop.' })
export class ManagerDto {
  @StringField({ maxLength: 80, description: 'The name.', example: 'Olivia' })
  name!: string;

  @ChoiceField({ oneOf: ROLE_NAMES, description: 'The role: owner or admin.', example: 'owner' })
  role!: string;
}

@ApiSchema({ description: 'The first page of staff. A section is null for a caller who lacks its permission.' })
export class OverviewDto extends PickType(ShopFields, ['currency']) {
  @ObjectListField(
    { maxItems: 1_000, description: 'What needs a person, the most urgent kinds first.', example: [] },
    () => NeedDto,
  )
  needs!: NeedDto[];

  @ObjectListField(
    { maxItems: CHECKLIST.length, description: 'What a new shop needs, of what the caller may read.', example: [] },
    () => ChecklistStepDto,
  )
  checklist!: ChecklistStepDto[];

  @ObjectField({ nullable: true, description: 'Today (`stats:read`).', example: null }, () => ComparedDaysDto)
  today!: ComparedDaysDto | null;

  @ObjectField({ nullable: true, description: 'Orders (`orders:read`).', example: null }, () => OverviewOrdersDto)
  orders!: OverviewOrdersDto | null;

  @ObjectListField(
    { nullable: true, maxItems: 1_000, description: 'Game servers (`servers:read`).', example: [] },
    () => OverviewServerDto,
  )
  servers!: OverviewServerDto[] | null;

  @ObjectListField(
    {
      nullable: true,
      maxItems: 1_000,
      description: 'What waits and what failed, by game server (`deliveries:read`).',
      example: [],
    },
    () => OverviewDeliveriesDto,
  )
  deliveries!: OverviewDeliveriesDto[] | null;

  @ObjectListField(
    { nullable: true, maxItems: 100, description: 'Payment providers (`payments:read`).', example: [] },
    () => OverviewProviderDto,
  )
  providers!: OverviewProviderDto[] | null;

  @ObjectField({ nullable: true, description: 'Webhooks (`webhooks:read`).', example: null }, () => OverviewWebhooksDto)
  webhooks!: OverviewWebhooksDto | null;

  @ObjectField(
    { nullable: true, description: 'The custom domain; null without one.', example: null },
    () => OverviewDomainDto,
  )
  domain!: OverviewDomainDto | null;

  @ObjectField({ nullable: true, description: 'Emails.', example: null }, () => OverviewMailDto)
  mail!: OverviewMailDto | null;

  @ObjectListField(
    { maxItems: 1_000, description: 'Who can change what you cannot: owners and admins.', example: [] },
    () => ManagerDto,
  )
  whoManages!: ManagerDto[];

  @TimestampField({ description: 'When it was read.', example: '2026-11-21T12:00:00.000Z' })
  generatedAt!: string;
}
