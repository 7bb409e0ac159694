import { ApiSchema } from '@nestjs/swagger';
import { StringField } from '../../../http/validation/fields.js';

@ApiSchema({ description: 'Why staff end what a player owns.' })
export class EndEntitlementDto {
  @StringField({
    maxLength: 200,
    description: 'Why. It is in the history of the order and in the audit log.',
    example: 'Sold the account',
  })
  reason!: string;
}
