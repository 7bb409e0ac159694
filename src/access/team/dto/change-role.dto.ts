import { ApiSchema } from '@nestjs/swagger';
import { type Role, ROLE_NAMES } from '../../../domain/principal/permissions.js';
import { ChoiceField } from '../../../http/validation/fields.js';

@ApiSchema({ description: 'The new role of a member.' })
export class ChangeRoleDto {
  @ChoiceField({
    oneOf: ROLE_NAMES,
    description: 'The role. It cannot have permissions that you do not have.',
    example: 'manager',
  })
  role!: Role;
}
