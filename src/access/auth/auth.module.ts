import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { MongooseModule } from '@nestjs/mongoose';
import { PassportModule } from '@nestjs/passport';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { AuditModule } from '../../events/audit/audit.module.js';
import { MembershipsModule } from '../../shops/memberships/memberships.module.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { SecondFactorModule } from '../../accounts/second-factor/second-factor.module.js';
import { TeamModule } from '../team/team.module.js';
import { PreferencesModule } from '../preferences/preferences.module.js';
import { UsedTokensModule } from '../used-tokens/used-tokens.module.js';
import { UsersModule } from '../../accounts/users/users.module.js';
import { AccessTokens, signingKeyOf } from './access-tokens.js';
import { AccountRecordsService } from './account-records.service.js';
import { AccountsService } from './accounts.service.js';
import { AccountController } from './account.controller.js';
import { AuthController } from './auth.controller.js';
import { AuthService } from './auth.service.js';
import { ConsoleCookiesService } from './console-cookies.service.js';
import { ConsoleSessionController } from './console-session.controller.js';
import { EMAIL_CHANGE_MODEL, emailChangeSchema } from './email-change.schema.js';
import { EmailChangesRepository } from './email-changes.repository.js';
import { EmailChangesService } from './email-changes.service.js';
import { EmailConfirmationsService } from './email-confirmations.service.js';
import { InvitedPeopleService } from './invited-people.service.js';
import { JwtAuthGuard } from './jwt-auth.guard.js';
import { JwtStrategy } from './jwt.strategy.js';
import { LoginAttemptsService } from './login-attempts.service.js';
import { LOGIN_CHALLENGE_MODEL, loginChallengeSchema } from './login-challenge.schema.js';
import { LoginChallengesRepository } from './login-challenges.repository.js';
import { OutboxModule } from '../../events/outbox/outbox.module.js';
import { PASSWORD_RESET_MODEL, passwordResetSchema } from './password-reset.schema.js';
import { PasswordResetRequestsService } from './password-reset-requests.service.js';
import { PasswordResetTokensService } from './password-reset-tokens.service.js';
import { PasswordResetsRepository } from './password-resets.repository.js';
import { PasswordResetsService } from './password-resets.service.js';
import { PasswordController } from './password.controller.js';
import { PasswordService } from './password.service.js';
import { REFRESH_TOKEN_MODEL, refreshTokenSchema, SESSION_MODEL, sessionSchema } from './session.schema.js';
import { REFRESH_SUCCESSOR_MODEL, refreshSuccessorSchema } from './refresh-successor.schema.js';
import { RefreshSuccessorsRepository } from './refresh-successors.repository.js';
import { RegistrationService } from './registration.service.js';
import { RepeatedRefreshesService } from './repeated-refreshes.service.js';
import { SessionsController } from './sessions.controller.js';
import { SessionsRepository } from './sessions.repository.js';
import { SessionsService } from './sessions.service.js';

@Module({
  imports: [
    ApiKeysModule,
    AuditModule,
    MembershipsModule,
    OutboxModule,
    PreferencesModule,
    UsersModule,
    SecondFactorModule,
    TeamModule,
    UsedTokensModule,
    PassportModule,
    JwtModule.registerAsync({
      inject: [AppConfig],
      useFactory: (config: AppConfig) => ({
        secret: signingKeyOf(config),
        signOptions: { algorithm: 'HS256' },
      }),
    }),
    MongooseModule.forFeature([
      { name: SESSION_MODEL, schema: sessionSchema },
      { name: REFRESH_TOKEN_MODEL, schema: refreshTokenSchema },
      { name: REFRESH_SUCCESSOR_MODEL, schema: refreshSuccessorSchema },
      { name: LOGIN_CHALLENGE_MODEL, schema: loginChallengeSchema },
      { name: EMAIL_CHANGE_MODEL, schema: emailChangeSchema },
      { name: PASSWORD_RESET_MODEL, schema: passwordResetSchema },
    ]),
  ],
  controllers: [AuthController, ConsoleSessionController, SessionsController, AccountController, PasswordController],
  providers: [
    AccessTokens,
    AccountRecordsService,
    AccountsService,
    AuthService,
    ConsoleCookiesService,
    EmailChangesRepository,
    EmailChangesService,
    EmailConfirmationsService,
    InvitedPeopleService,
    JwtAuthGuard,
    JwtStrategy,
    LoginAttemptsService,
    LoginChallengesRepository,
    PasswordResetRequestsService,
    PasswordResetTokensService,
    PasswordResetsRepository,
    PasswordResetsService,
    PasswordService,
    RefreshSuccessorsRepository,
    RegistrationService,
    RepeatedRefreshesService,
    SessionsRepository,
    SessionsService,
  ],
  exports: [
    AuthService,
    EmailConfirmationsService,
    InvitedPeopleService,
    PasswordResetsService,
    PasswordResetTokensService,
    SessionsService,
    AccessTokens,
    JwtAuthGuard,
  ],
})
export class AuthModule {}
