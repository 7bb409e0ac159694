import { ApiSchema } from '@nestjs/swagger';
import { ROLE_NAMES } from '../../../domain/principal/permissions.js';
import { ChoiceField, EmailField, IdField, TimestampField } from '../../../http/validation/fields.js';

@ApiSchema({ description: "An open invitation to a shop's team." })
export class InvitationDto {
  @IdField({ description: 'Identifier of the invitation.', example: '655f1c2ab1e4a9d3f0c81236' })
  id!: string;

  @EmailField({ description: 'The invited email address.', example: 'helper@example.com' })
  email!: string;

  @ChoiceField({ oneOf: ROLE_NAMES, description: 'The role that the person will have.', example: 'support' })
  role!: string;

  @TimestampField({ description: 'When the invitation expires.', example: '2026-11-28T12:00:00.000Z' })
  expiresAt!: string;
}
