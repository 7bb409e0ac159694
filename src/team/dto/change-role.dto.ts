import { ApiSchema } from '@nestjs/swagger';
import { type Role, ROLE_NAMES } from '../../common/auth/permissions.js';
import { ChoiceField } from '../../common/validation/fields.js';

@ApiSchema({ description: 'The new role of a member.' })
export class ChangeRoleDto {
  @ChoiceField({
    oneOf: ROLE_NAMES,
    description: 'The role. It may not have permissions that you do not have.',
    example: 'manager',
  })
  role!: Role;
}
