import { ApiSchema } from '@nestjs/swagger';
import { StringField } from '../../../platform/validation/fields.js';

const PASSWORD = { maxLength: 128, description: 'The current password.', example: 'correct horse battery' } as const;

@ApiSchema({ description: 'The password of the caller.' })
export class SetUpSecondFactorDto {
  @StringField(PASSWORD)
  password!: string;
}

@ApiSchema({ description: 'The first code of the authenticator app.' })
export class ConfirmSecondFactorDto {
  @StringField({ maxLength: 20, description: 'The six digits that the app shows.', example: '123456' })
  code!: string;
}

@ApiSchema({ description: 'The password and the second factor of the caller.' })
export class SecondFactorProofDto {
  @StringField(PASSWORD)
  password!: string;

  @StringField({
    maxLength: 20,
    description: 'The six digits that the app shows, or a recovery code.',
    example: '123456',
  })
  code!: string;
}
