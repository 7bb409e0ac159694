import { ApiSchema } from '@nestjs/swagger';
import { ROLE_NAMES } from '../../../domain/principal/permissions.js';
import { ChoiceField, IdField } from '../../../http/validation/fields.js';

@ApiSchema({ description: "A person who is no longer a member of a shop's team." })
export class FormerMemberDto {
  @IdField({ description: 'Identifier of the membership that ended.', example: '655f1c2ab1e4a9d3f0c81235' })
  id!: string;

  @IdField({ description: 'The person.', example: '655f1c2ab1e4a9d3f0c81230' })
  userId!: string;

  @ChoiceField({ oneOf: ROLE_NAMES, description: 'The role that the person had.', example: 'support' })
  role!: string;
}
