import { ApiSchema } from '@nestjs/swagger';
import { type Role, ROLE_NAMES } from '../../../domain/principal/permissions.js';
import { ChoiceField, EmailField } from '../../../http/validation/fields.js';

@ApiSchema({ description: "A new invitation to a shop's team." })
export class InviteDto {
  @EmailField({ description: 'The email address of the person.', example: 'helper@example.com' })
  email!: string;

  @ChoiceField({
    oneOf: ROLE_NAMES,
    description: 'The role. It cannot have permissions that you do not have.',
    example: 'support',
  })
  role!: Role;
}
