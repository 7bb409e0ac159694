import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ChoiceField, EmailField, StringField } from '../../../http/validation/fields.js';
import { RUNNING_CHOICES, type RunningChoice } from '../buyer.types.js';

@ApiSchema({ description: 'A buyer: exactly one of `email` and `nickname`.' })
export class BuyerNameDto {
  @EmailField({
    optional: true,
    description: 'The mailbox, with all spellings of its address.',
    example: 'buyer@example.com',
  })
  email?: string;

  @StringField({
    optional: true,
    maxLength: 32,
    description: 'The player. It stands for the mailbox that ordered for it.',
    example: 'Steve_42',
  })
  nickname?: string;
}

@ApiSchema({ description: 'A buyer: exactly one of `email` and `nickname`, and why the buyer is erased.' })
export class EraseBuyerDto extends BuyerNameDto {
  @StringField({ maxLength: 200, description: 'The reason, for the audit log.', example: 'The buyer requested it' })
  reason!: string;

  @ChoiceField({
    optional: true,
    oneOf: RUNNING_CHOICES,
    description:
      'What becomes of what is still to run for items of the buyer, such as the end of a rank, or its revocation after a refund: ' +
      '`keep` leaves the nickname in it until it has run, and `drop` ends it. Without this field the request is rejected while there is any, with a list.',
    example: 'keep',
  })
  running?: RunningChoice;
}

@ApiSchema({ description: 'Everything that the shop has stored about a buyer.' })
export class BuyerExportDto {
  @ApiProperty({ type: [String], description: 'The addresses that the buyer typed.', example: ['buyer@example.com'] })
  emails!: string[];

  @ApiProperty({ type: [String], description: 'The players for whom the buyer ordered.', example: ['Steve_42'] })
  nicknames!: string[];

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'object', additionalProperties: true } },
    description: 'The records as they are stored, by collection. Amounts are in minor units.',
    example: { orders: [{ id: '655f1c2ab1e4a9d3f0c81234', nickname: 'Steve_42', totalMinor: 1999 }] },
  })
  records!: Record<string, object[]>;
}

@ApiSchema({ description: 'What an erasure has done.' })
export class ErasureDto {
  @ApiProperty({ type: 'integer', description: 'How many orders had the identity.', example: 3 })
  orders!: number;

  @ApiProperty({ type: 'integer', description: 'How many bans had it. They still hit.', example: 0 })
  bans!: number;

  @ApiProperty({
    type: 'integer',
    description: 'How many items keep the nickname until what is still to run for them has run.',
    example: 0,
  })
  kept!: number;

  @StringField({
    nullable: true,
    maxLength: 100,
    description: 'What stands in the orders instead of the email address; null: no order had the identity.',
    example: 'erased-5d1f0c3b7a9e2468ace01357@erased.invalid',
  })
  pseudonym!: string | null;
}
