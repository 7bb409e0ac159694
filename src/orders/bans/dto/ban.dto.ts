import { ApiSchema } from '@nestjs/swagger';
import { type Moment } from '../../../lib/time/instant.js';
import { EmailField, IdField, InstantField, StringField, TimestampField } from '../../../http/validation/fields.js';

@ApiSchema({ description: 'Whom to ban: exactly one of `nickname` and `email`.' })
export class CreateBanDto {
  @StringField({
    optional: true,
    maxLength: 32,
    description: 'The player. Upper and lower case are equal.',
    example: 'Steve_42',
  })
  nickname?: string;

  @EmailField({
    optional: true,
    description: 'The mailbox, with all spellings of its address.',
    example: 'buyer@example.com',
  })
  email?: string;

  @StringField({ maxLength: 200, description: 'The reason. Only staff see it.', example: 'Three chargebacks' })
  reason!: string;

  @InstantField({
    optional: true,
    description: 'When the ban ends; without it, never.',
    example: '2027-01-01T00:00:00.000Z',
  })
  until?: Moment;
}

@ApiSchema({ description: 'A buyer whose checkouts are rejected.' })
export class BanDto {
  @IdField({ description: 'The ban.', example: '655f1c2ab1e4a9d3f0c812b0' })
  id!: string;

  @StringField({ nullable: true, maxLength: 32, description: 'The player; null for a mailbox.', example: 'Steve_42' })
  nickname!: string | null;

  @EmailField({
    nullable: true,
    description: 'The email address; null for a player, and for plugin keys, which cannot read it.',
    example: null,
  })
  email!: string | null;

  @StringField({
    nullable: true,
    maxLength: 200,
    description: 'The reason; null for plugin keys.',
    example: 'Three chargebacks',
  })
  reason!: string | null;

  @TimestampField({ nullable: true, description: 'When the ban ends; null: never.', example: null })
  until!: string | null;

  @TimestampField({ description: 'When the ban was created.', example: '2026-11-21T12:00:00.000Z' })
  createdAt!: string;

  @StringField({ maxLength: 64, description: 'Who created it.', example: 'user:655f1c2ab1e4a9d3f0c81299' })
  createdBy!: string;
}
