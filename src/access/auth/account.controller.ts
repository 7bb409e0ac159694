import { Body, Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Auth, Authenticated, Public } from '../../http/routes/access.decorators.js';
import { type AuthContext } from '../../domain/principal/auth-context.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { RateLimit } from '../../http/throttling/rate-limit.decorator.js';
import { AccountsService } from './accounts.service.js';
import { toUserDto } from './auth.mapper.js';
import {
  AccountClosedDto,
  ChangeEmailDto,
  CloseAccountDto,
  ConfirmEmailDto,
  EmailChangedDto,
  EmailChangeRequestedDto,
  UpdateAccountDto,
} from './dto/account.dto.js';
import { UserDto } from './dto/user.dto.js';
import { EmailChangesService } from './email-changes.service.js';
import { EmailConfirmationsService } from './email-confirmations.service.js';

/** The caller's own account: its name and its email address. */
@ApiTags('Accounts')
@Controller('auth')
export class AccountController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly emailChanges: EmailChangesService,
    private readonly emailConfirmations: EmailConfirmationsService,
  ) {}

  @Get('me')
  @Authenticated()
  @ApiOperation({ summary: 'Read my account', description: 'Returns the account of the access token.' })
  @RespondsWith(UserDto, 'Account retrieved')
  async me(@Auth() auth: AuthContext): Promise<UserDto> {
    return toUserDto(await this.accounts.get(auth));
  }

  @Patch('me')
  @Authenticated()
  @ApiOperation({ summary: 'Change my name', description: 'The members of your teams see the new name at once.' })
  @RespondsWith(UserDto, 'Account changed')
  async update(@Auth() auth: AuthContext, @Body() { name }: UpdateAccountDto): Promise<UserDto> {
    return toUserDto(await this.accounts.rename(auth, name));
  }

  @Delete('me')
  @Authenticated()
  @RateLimit('passwordCheck')
  @DocumentedErrors('password_wrong', 'last_owner')
  @ApiOperation({
    summary: 'Close my account',
    description:
      'Needs the current password. Deletes the account: you leave all teams, your API keys are revoked, and all your sessions end. ' +
      'Rejected while you are the only owner of an open shop: make somebody else an owner, or close the shop first.',
  })
  @RespondsWith(AccountClosedDto, 'Account closed')
  async close(@Auth() auth: AuthContext, @Body() body: CloseAccountDto): Promise<AccountClosedDto> {
    await this.accounts.close(auth, body.currentPassword);
    return { status: 'closed' };
  }

  @Post('email/change')
  @Authenticated()
  @RateLimit('passwordCheck')
  @DocumentedErrors('password_wrong', 'email_unchanged', 'emails_off')
  @ApiOperation({
    summary: 'Change my email address',
    description:
      'Needs the current password. Sends a link and a token to the new address. They work once, for 60 minutes, and until you change ' +
      'your password. The account keeps its address until then. With the current address, it confirms that one. The response is the same when the new address has an account already.',
  })
  @RespondsWith(EmailChangeRequestedDto, 'An email is on its way to the new address')
  async changeEmail(@Auth() auth: AuthContext, @Body() body: ChangeEmailDto): Promise<EmailChangeRequestedDto> {
    await this.emailChanges.request(auth, body.newEmail, body.currentPassword);
    return { status: 'confirmation_sent' };
  }

  @Post('email/confirm')
  @Public()
  @RateLimit('verificationCode')
  @DocumentedErrors('email_token_invalid', 'email_taken')
  @ApiOperation({
    summary: 'Confirm a new email address',
    description: 'Needs the token from the email to the new address. We tell the old address about the change.',
  })
  @RespondsWith(EmailChangedDto, 'Email address changed')
  async confirmEmail(@Body() { token }: ConfirmEmailDto): Promise<EmailChangedDto> {
    await this.emailConfirmations.confirm(token);
    return { status: 'changed' };
  }
}
