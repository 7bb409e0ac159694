import { ApiSchema } from '@nestjs/swagger';
import { BooleanField, StringField } from '../../../http/validation/fields.js';

@ApiSchema({ description: 'Why staff end what a player owns.' })
export class EndEntitlementDto {
  @StringField({
    maxLength: 200,
    description: 'Why. It is in the history of the order and in the audit log.',
    example: 'Sold the account',
  })
  reason!: string;
}

@ApiSchema({ description: 'To whom staff give what a player has, and why.' })
export class TransferEntitlementDto extends EndEntitlementDto {
  @StringField({ maxLength: 32, description: 'The player who gets it.', example: 'Steve_43' })
  nickname!: string;

  @BooleanField({
    optional: true,
    description:
      'Whether it is taken back from the player and given to the other one; false: nothing runs, because the account has another name in the ' +
      'game now.',
    default: true,
    example: true,
  })
  runCommands = true;
}
