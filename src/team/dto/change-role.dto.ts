import { ApiSchema } from '@nestjs/swagger';
import { type Role, ROLE_NAMES } from '../../common/auth/permissions.js';
import { ChoiceField } from '../../common/validation/fields.js';

@ApiSchema({ description: 'What a member is to be.' })
export class ChangeRoleDto {
  @ChoiceField({ oneOf: ROLE_NAMES, description: 'The role; none that holds more than yours.', example: 'manager' })
  role!: Role;
}
