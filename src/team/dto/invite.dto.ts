import { ApiSchema } from '@nestjs/swagger';
import { type Role, ROLE_NAMES } from '../../common/auth/permissions.js';
import { ChoiceField, EmailField } from '../../common/validation/fields.js';

@ApiSchema({ description: "Whom to invite to a shop's team, and as what." })
export class InviteDto {
  @EmailField({ description: 'Whom to invite.', example: 'helper@example.com' })
  email!: string;

  @ChoiceField({ oneOf: ROLE_NAMES, description: 'The role; none that holds more than yours.', example: 'support' })
  role!: Role;
}
