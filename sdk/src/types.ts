// Generated from openapi.json by `npm run openapi`.

export interface paths {
    "/auth/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List own account history
         * @description The latest 100 logins, failed logins and changes of the account, newest first.
         */
        get: operations["listOwnAccountHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept invitation
         * @description Accepts the invitation and returns the project. The token works once, for any account.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in
         * @description A user with a second factor also sends `code`, from the authenticator app, or a recovery code. The response 401 is the same for a wrong password, an unknown email, and a missing or wrong code.
         */
        post: operations["logIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log out
         * @description Ends the session of a refresh token, sent as in `POST /auth/refresh`, with all its tokens, and removes the cookie. `id` is null if no session was open.
         */
        post: operations["logOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get current user, with their projects */
        get: operations["getCurrentUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change own name */
        patch: operations["changeOwnName"];
        trace?: never;
    };
    "/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change own password
         * @description Needs the password, and `code` if there is a second factor; wrong ones count as failed logins. 403 does not tell which one was wrong. Ends all sessions, and returns the tokens of a new one.
         */
        post: operations["changeOwnPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refresh tokens
         * @description Send the refresh token in the body or as `Authorization: Bearer`; a page whose session is in a cookie sends neither. A refresh token can be used once. Reuse within 30 seconds returns the same new tokens; later reuse revokes the session.
         */
        post: operations["refreshTokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register user, and log in
         * @description A password has 10 to 128 characters and at most 72 bytes. 403 if the operator has closed registration. With `invitationToken` the user becomes a member of the project immediately, even if registration is closed.
         */
        post: operations["registerUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get own second factor */
        get: operations["getOwnSecondFactor"];
        put?: never;
        /**
         * Prepare second factor
         * @description Returns a secret for an authenticator app (TOTP, RFC 6238). Logins need a code only after it was confirmed, within an hour.
         */
        post: operations["prepareSecondFactor"];
        /**
         * Remove second factor
         * @description Needs the password, and `code` if there is a second factor; wrong ones count as failed logins. 403 does not tell which one was wrong.
         */
        delete: operations["removeSecondFactor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/second-factor/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm second factor
         * @description From then on a login needs a code. Returns the recovery codes, and ends all other sessions.
         */
        post: operations["confirmSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/second-factor/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace recovery codes
         * @description Needs the password, and `code` if there is a second factor; wrong ones count as failed logins. 403 does not tell which one was wrong. The former recovery codes are void.
         */
        post: operations["replaceRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List own open sessions */
        get: operations["listOwnOpenSessions"];
        put?: never;
        post?: never;
        /** End all other own sessions */
        delete: operations["endAllOtherOwnSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End own session
         * @description Its tokens are refused from then on, in every process within two seconds.
         */
        delete: operations["endOwnSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/livez": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Liveness */
        get: operations["checkLife"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This document */
        get: operations["getOpenapiDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Readiness
         * @description Not ready while it waits for a server after a start (`waitingFor`), while read models are built, and while it shuts down.
         */
        get: operations["checkReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the API key of the request
         * @description Its project and its scopes, so that a tool can offer only what the key allows.
         *
         *     Scopes of a secret key: any.
         */
        get: operations["getApiKeyOfRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/demo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create demo project
         * @description Creates a project with a catalogue and simulated customers, whose last months are generated in the background; `demo` of the project is `playing` in the meantime. Only available if the service listens on loopback and has no other projects than demos.
         */
        post: operations["createDemoProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record a custom event, or several
         * @description Duplicates are recognised by `eventId`, also after a login, or by the same `Idempotency-Key`. `occurredAt` defaults to the time when the event was first sent.
         *
         *     Scopes of a secret key: `write`.
         */
        post: operations["recordCustomEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/offerings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the current offering, among all
         * @description Scopes of a secret key: any.
         */
        get: operations["getCurrentOffering"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/offerings/{oid}/paywalls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the paywalls of an offering
         * @description Scopes of a secret key: any.
         */
        get: operations["getPaywallsOfOffering"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List projects */
        get: operations["listProjects"];
        put?: never;
        /** Create project */
        post: operations["createProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get project details
         * @description Roles: all. Scopes of a secret key: any.
         */
        get: operations["getProjectDetails"];
        put?: never;
        post?: never;
        /**
         * Delete project
         * @description Roles: owner.
         */
        delete: operations["deleteProject"];
        options?: never;
        head?: never;
        /**
         * Update project
         * @description Roles: owner, admin. Scopes of a secret key: `config`.
         */
        patch: operations["updateProject"];
        trace?: never;
    };
    "/v1/projects/{id}/annotations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List annotations, newest day first
         * @description Price changes, offerings that became current, and experiments that started or stopped are included automatically.
         *
         *     Roles: owner, admin, analyst, finance, viewer. Scopes of a secret key: any.
         */
        get: operations["listAnnotations"];
        put?: never;
        /**
         * Add an annotation to a day
         * @description Roles: owner, admin, analyst. Scopes of a secret key: `config`.
         */
        post: operations["addAnnotationToDay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/annotations/{annotationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an annotation
         * @description Roles: owner, admin, analyst. Scopes of a secret key: `config`.
         */
        delete: operations["deleteAnnotation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description Roles: owner, admin. Scopes of a secret key: `config`.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create API key; the full key is only in this response
         * @description Roles: owner, admin.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/api-keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete API key
         * @description Roles: owner, admin.
         */
        delete: operations["deleteApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/apps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List apps
         * @description Roles: all. Scopes of a secret key: any.
         */
        get: operations["listApps"];
        put?: never;
        /**
         * Register an app (iOS or Android)
         * @description `notificationForwardingUrl` receives personal fields: an API key needs the scopes `config` and `pii` to set it. Platform `test`: an app of the test store, whose purchases are made in the client SDK’s own dialog; for the compatibility API.
         *
         *     Roles: owner, admin. Scopes of a secret key: `config`.
         */
        post: operations["registerApp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/apps/{appId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get app details
         * @description Roles: all. Scopes of a secret key: any.
         */
        get: operations["getAppDetails"];
        put?: never;
        post?: never;
        /**
         * Delete app
         * @description Roles: owner, admin. Scopes of a secret key: `config`.
         */
        delete: operations["deleteApp"];
        options?: never;
        head?: never;
        /**
         * Update app settings
         * @description `notificationForwardingUrl` receives personal fields: an API key needs the scopes `config` and `pii` to set it.
         *
         *     Roles: owner, admin. Scopes of a secret key: `config`.
         */
        patch: operations["updateAppSettings"];
        trace?: never;
    };
    "/v1/projects/{id}/apps/{appId}/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete credentials
         * @description Roles: owner, admin. Scopes of a secret key: `config`.
         */
        delete: operations["deleteCredentials"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/apps/{appId}/credentials/android-store": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register Android store credentials
         * @description Roles: owner, admin. Scopes of a secret key: `config`.
         */
        post: operations["registerAndroidStoreCredentials"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/apps/{appId}/credentials/ios-store": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register iOS store credentials
         * @description Roles: owner, admin. Scopes of a secret key: `config`.
         */
        post: operations["registerIosStoreCredentials"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/apps/{appId}/credentials/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get credentials and notification status
         * @description Roles: owner, admin. Scopes of a secret key: `config`.
         */
        get: operations["getCredentialsAndNotificationStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/apps/{appId}/notification-check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check whether the notification address can be reached
         * @description Loopback, private and unencrypted addresses are named as such. Any other is requested once from this service, which cannot see what a firewall does to the stores.
         *
         *     Roles: owner, admin. Scopes of a secret key: `config`.
         */
        post: operations["checkWhetherNotificationAddressCanBeReached"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/apps/{appId}/test-purchase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate a purchase of a test app
         * @description Only for apps with the platform `test`. The purchase is of the sandbox and nobody pays; it is on the timeline, in the charts of the sandbox and sent to webhooks, as one of an SDK is.
         *
         *     Roles: owner, admin. Scopes of a secret key: `config`.
         */
        post: operations["simulatePurchaseOfTestApp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List changes, newest first
         * @description Changes of configuration, keys, members, credentials and grants. `actor`: ID of a user or an API key. `since`: recorded at this instant or later. Secrets are never included.
         *
         *     Roles: owner, admin. Scopes of a secret key: `config`.
         */
        get: operations["listChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/books": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the months of the books
         * @description The last thirteen months, the newest first, each as `GET …/books/:month` without its reports.
         *
         *     Roles: owner, admin, analyst, finance, viewer. Scopes of a secret key: any.
         */
        get: operations["getMonthsOfBooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/books/{month}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a month of the books
         * @description By app and buyers’ currency: what we recorded, what the store reports, and the difference by cause. The month is the calendar month in Pacific time for the android-store, and the fiscal month for the ios-store, as its report states it.
         *
         *     Roles: owner, admin, analyst, finance, viewer. Scopes of a secret key: any.
         */
        get: operations["getMonthOfBooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/books/{month}/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close a month of the books
         * @description Freezes the figures as they are known now; what becomes known later is a correction in the open month. Months are closed in order. A month in which purchases wait for a report is closed only with `incompleteReason`. A closed month stays as it is.
         *
         *     Roles: owner, admin, finance. Scopes of a secret key: `config` or `finance`.
         */
        post: operations["closeMonthOfBooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/books/{month}/closing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a month as closed and as known now
         * @description For a closed month its figures as closed, as known now, and the corrections between. For the open month after it the corrections of closed months.
         *
         *     Roles: owner, admin, analyst, finance, viewer. Scopes of a secret key: any.
         */
        get: operations["getMonthAsClosedAndAsKnownNow"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/books/{month}/corrections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the comparisons that changed since closing
         * @description Roles: owner, admin, analyst, finance, viewer. Scopes of a secret key: any.
         */
        get: operations["listComparisonsThatChangedSinceClosing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/books/{month}/journal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the journal of a month
         * @description With `format` a file: `csv`, `xero` (manual journals) or `beancount`. IDs of entries are stable: exporting twice books once, and closing again adds entries with the difference. Entries of a month that is open are drafts, and their IDs begin with `draft-`.
         *
         *     Roles: owner, admin, analyst, finance, viewer. Scopes of a secret key: any.
         */
        get: operations["exportJournalOfMonth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/books/{month}/lines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the comparisons of a month, by cause
         * @description One entry for each charge or refund of the android-store, and for each group of equal ones of the ios-store. With `Accept: text/csv` all of them.
         *
         *     Roles: owner, admin, analyst, finance, viewer. Scopes of a secret key: any.
         */
        get: operations["listComparisonsOfMonth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/books/{month}/reopen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reopen a closed month
         * @description The last closed month first. Its next closing adds entries with the difference to the journal.
         *
         *     Roles: owner, admin, finance. Scopes of a secret key: `config` or `finance`.
         */
        post: operations["reopenClosedMonth"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/books/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the accounts of the journal
         * @description Roles: owner, admin, analyst, finance, viewer. Scopes of a secret key: any.
         */
        get: operations["getAccountsOfJournal"];
        /**
         * Set the accounts of the journal
         * @description Accounts that are not in the body get their defaults. `code` is for tables, `name` for plain-text accounting.
         *
         *     Roles: owner, admin, finance. Scopes of a secret key: `config` or `finance`.
         */
        put: operations["setAccountsOfJournal"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/books/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the financial reports of the stores; the newest month first
         * @description Roles: owner, admin, analyst, finance, viewer. Scopes of a secret key: any.
         */
        get: operations["listFinancialReportsOfStores"];
        put?: never;
        /**
         * Add a financial report of a store
         * @description The body is an earnings or sales report of the android-store (CSV), or a finance detail or financial report (text with tabs) or the payments page (CSV) of the ios-store, also in a ZIP archive or compressed with gzip, of at most 64 MiB. Columns are found by name, in any order. A line that cannot be read refuses the whole file. The same file again changes nothing; a newer file of the same kind, account, month and region replaces the older one. One source counts for each account and month: earnings before sales, finance detail before financial. The columns that say where a buyer lives are not stored.
         *
         *     Roles: owner, admin. Scopes of a secret key: `config`.
         */
        post: operations["addFinancialReportOfStore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/books/reports/{reportId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a financial report of a store
         * @description Roles: owner, admin, analyst, finance, viewer. Scopes of a secret key: any.
         */
        get: operations["getFinancialReportOfStore"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/books/schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the revenue schedule
         * @description What is deferred, billed, recognised and refunded in each month and currency, of purchases in production. A period is recognised day by day, from the day of the purchase to the day before it ends; other purchases at once. `from` and `to`: months, by default the last twelve. With `Accept: text/csv` as a table.
         *
         *     Roles: owner, admin, analyst, finance, viewer. Scopes of a secret key: any.
         */
        get: operations["getRevenueSchedule"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/books/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get how revenue is counted
         * @description Roles: owner, admin, analyst, finance, viewer. Scopes of a secret key: any.
         */
        get: operations["getHowRevenueIsCounted"];
        /**
         * Set how revenue is counted
         * @description Whether revenue is gross or net is never assumed. The settings stay as they are while a month is closed: reopen all closed months first.
         *
         *     Roles: owner, admin, finance. Scopes of a secret key: `config` or `finance`.
         */
        put: operations["setHowRevenueIsCounted"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/books/waterfall": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the revenue waterfall
         * @description What was billed in each month and currency, by the month in which it is recognised. `…/waterfall/transactions` lists the transactions of a cell. With `Accept: text/csv` as a table with a line for each cell.
         *
         *     Roles: owner, admin, analyst, finance, viewer. Scopes of a secret key: any.
         */
        get: operations["getRevenueWaterfall"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/books/waterfall/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the transactions of a waterfall cell
         * @description Roles: owner, admin, analyst, finance, viewer. Scopes of a secret key: any.
         */
        get: operations["listTransactionsOfWaterfallCell"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/customer-count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count customers
         * @description Takes the filters of the list, and looks at the first 5,000 customers of the index that these read. `complete` tells whether these are all; for a list of any length count the lines of the table.
         *
         *     Roles: all. Scopes of a secret key: any.
         */
        get: operations["countCustomers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/customer-segments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List segments of customers, newest first
         * @description Roles: all. Scopes of a secret key: any.
         */
        get: operations["listSegmentsOfCustomers"];
        put?: never;
        /**
         * Save a segment of customers
         * @description `query` contains parameters of the customer list, without `search`. All members of the project see it. At most 100 per project.
         *
         *     Roles: owner, admin, analyst, support. Scopes of a secret key: `config`.
         */
        post: operations["saveSegmentOfCustomers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/customer-segments/{segmentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a segment of customers
         * @description Roles: owner, admin, analyst, support. Scopes of a secret key: `config`.
         */
        delete: operations["deleteSegmentOfCustomers"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/customers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List customers, with search and pagination
         * @description Filters apply together. `attribute` is `name:value`, or `name` for any value, up to 5 times; it needs a role or key that sees personal data, `minSpentUsd` and `maxSpentUsd` one that sees amounts. Status and access are those of the time of the request. `sort` lists the highest first; `order=asc` the lowest. `country`, `productId` of a subscription, `status=billing_retry` and `grace_period`, and filters that only customers with a purchase or a grant can match read an index; so do the range of `sort`, and first seen. Other filters look at the customers one by one: a page looks at about 2,000, may therefore have fewer than `limit` or none, and `nextPage` continues. `chartValue` lists the customers behind a value of a chart, by ID, with all other filters but `search`; it needs a role or key that reads charts, takes as long as the value does once per 5,000 customers, and leaves out customers that were erased since. With `Accept: text/csv` the list is a whole table, without `limit`.
         *
         *     Roles: all. Scopes of a secret key: any.
         */
        get: operations["listCustomers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/customers/{cid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get customer details, including subscriptions and entitlements
         * @description Roles: all. Scopes of a secret key: any.
         */
        get: operations["getCustomerDetails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/customers/{cid}/access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain a customer’s access to an entitlement
         * @description `entitlement`: ID or `lookupKey`, required if the project has several. `asOf`: use only what was recorded by then, default now. `at`: the instant to explain, default `asOf`; it may be earlier (what is known about that time) or later (if nothing else happens).
         *
         *     Roles: all. Scopes of a secret key: any.
         */
        get: operations["explainCustomersAccessToEntitlement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/customers/{cid}/offerings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview the offerings of a customer
         * @description What the app shows at each placement, and why. `country`, `platform` and `appVersion`: as if the device reported them. `asOf`: by what was recorded at this instant; then they must be absent. Nothing is written. A package without a product of the app is missing on its device, and an offering without any package too.
         *
         *     Roles: all. Scopes of a secret key: any.
         */
        get: operations["previewOfferingsOfCustomer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/customers/{cid}/purchases/transfer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move a purchase to this customer
         * @description Moves the whole purchase line of the transaction. `reason` is stored in the log.
         *
         *     Roles: owner, admin, support. Scopes of a secret key: `support`.
         */
        post: operations["movePurchaseToThisCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/customers/{cid}/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refresh all purchases of a customer from the stores
         * @description Roles: owner, admin, support. Scopes of a secret key: `support`.
         */
        post: operations["refreshAllPurchasesOfCustomerFromStores"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/customers/{cid}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a customer's timeline, with the reason for every state
         * @description Roles: all. Scopes of a secret key: any.
         */
        get: operations["getCustomersTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/demo/purchase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate purchase
         * @description A new customer buys a subscription: a receipt and the notification of the simulated store are sent to the service. Demo projects only.
         *
         *     Roles: owner, admin. Scopes of a secret key: `config`.
         */
        post: operations["simulatePurchase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/entitlements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List entitlements
         * @description Roles: all. Scopes of a secret key: any.
         */
        get: operations["listEntitlements"];
        put?: never;
        /**
         * Create entitlement
         * @description Roles: owner, admin. Scopes of a secret key: `config`.
         */
        post: operations["createEntitlement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/entitlements/{eid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get entitlement details
         * @description Roles: all. Scopes of a secret key: any.
         */
        get: operations["getEntitlementDetails"];
        put?: never;
        post?: never;
        /**
         * Delete entitlement
         * @description Roles: owner, admin. Scopes of a secret key: `config`.
         */
        delete: operations["deleteEntitlement"];
        options?: never;
        head?: never;
        /**
         * Update entitlement
         * @description Roles: owner, admin. Scopes of a secret key: `config`.
         */
        patch: operations["updateEntitlement"];
        trace?: never;
    };
    "/v1/projects/{id}/entitlements/{eid}/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List attached products
         * @description Roles: all. Scopes of a secret key: any.
         */
        get: operations["listAttachedProducts"];
        put?: never;
        /**
         * Attach product
         * @description Roles: owner, admin. Scopes of a secret key: `config`.
         */
        post: operations["attachProduct"];
        /**
         * Detach product
         * @description Roles: owner, admin. Scopes of a secret key: `config`.
         */
        delete: operations["detachProduct"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List custom events, newest first
         * @description `customer` is a customer ID or an app user ID; `since` is inclusive.
         *
         *     Roles: all. Scopes of a secret key: any.
         */
        get: operations["listCustomEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/experiments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List experiments
         * @description Roles: all. Scopes of a secret key: any.
         */
        get: operations["listExperiments"];
        put?: never;
        /**
         * Create experiment
         * @description Roles: owner, admin. Scopes of a secret key: `config`.
         */
        post: operations["createExperiment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/experiments/{eid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get experiment details, with the results of each variant
         * @description Roles: all. Scopes of a secret key: any.
         */
        get: operations["getExperimentDetails"];
        put?: never;
        post?: never;
        /**
         * Delete experiment
         * @description Roles: owner, admin. Scopes of a secret key: `config`.
         */
        delete: operations["deleteExperiment"];
        options?: never;
        head?: never;
        /**
         * Update experiment; `status` starts, pauses and stops it
         * @description Roles: owner, admin. Scopes of a secret key: `config`.
         */
        patch: operations["updateExperiment"];
        trace?: never;
    };
    "/v1/projects/{id}/experiments/{eid}/variants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add variant
         * @description Roles: owner, admin. Scopes of a secret key: `config`.
         */
        post: operations["addVariant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/experiments/{eid}/variants/{vid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete variant
         * @description Roles: owner, admin. Scopes of a secret key: `config`.
         */
        delete: operations["deleteVariant"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List imports; the newest first
         * @description Roles: owner, admin. Scopes of a secret key: `config`.
         */
        get: operations["listImports"];
        put?: never;
        /**
         * Upload a file to import
         * @description The body is a transaction or customer export of RevenueCat (CSV or Parquet), or lines of JSON; CSV and lines may be compressed with gzip. The file is checked, and nothing is recorded before its report is confirmed. It is deleted after the import, or a day later.
         *
         *     Roles: owner, admin. Scopes of a secret key: `config`.
         */
        post: operations["uploadFileToImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/imports/{importId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an import
         * @description Roles: owner, admin. Scopes of a secret key: `config`.
         */
        get: operations["getImport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/imports/{importId}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm an import
         * @description Records what the report of the dry run shows. `digest` is that of the report: 409 for another one. Facts that are recorded already stay as they are, and no webhooks are sent.
         *
         *     Roles: owner, admin. Scopes of a secret key: `config`.
         */
        post: operations["confirmImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/imports/{importId}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a file to an import
         * @description Adds a file to an import that was not confirmed, for example the customers of its transactions. All files are checked together; a check that has begun ends, so send them one after another without waiting for its report.
         *
         *     Roles: owner, admin. Scopes of a secret key: `config`.
         */
        post: operations["addFileToImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Watch the live feed, as server-sent events
         * @description Messages of three types: `notification` (a store notification arrived or was processed), `event` (an event of a customer), `delivery` (a webhook attempt). `id` is a log position: with `Last-Event-ID` the feed resumes after it, as far back as the log reaches. Deliveries are not in the log and have no `id`. A reader that takes longer than 10 seconds for 256 messages is disconnected; `retry` states when to reconnect. At most 50 readers per project.
         *
         *     Roles: all. Scopes of a secret key: any.
         */
        get: operations["watchLiveFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List members, and open invitations for callers who may invite
         * @description Roles: all. Scopes of a secret key: `config`.
         */
        get: operations["listMembers"];
        put?: never;
        /**
         * Invite member
         * @description Admins can invite with roles below admin. No email is sent: share `inviteUrl` or `token`, which works once within seven days, for any account.
         *
         *     Roles: owner, admin.
         */
        post: operations["inviteMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove member
         * @description Access ends immediately. Every member can leave except the last owner; admins can remove roles below admin. API keys that the member created stay valid.
         *
         *     Roles: all.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change role of a member
         * @description You cannot raise your own role. The last owner cannot be demoted. Admins can assign roles below admin.
         *
         *     Roles: owner, admin.
         */
        patch: operations["changeRoleOfMember"];
        trace?: never;
    };
    "/v1/projects/{id}/members/invitations/{invitationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke invitation
         * @description Roles: owner, admin.
         */
        delete: operations["revokeInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/metrics/charts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List available chart types
         * @description Roles: owner, admin, analyst, finance, viewer. Scopes of a secret key: any.
         */
        get: operations["listAvailableChartTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/metrics/charts/{chartId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get chart data
         * @description With `Accept: text/csv` the chart is a table of any length: one line per bucket, or per column of a cohort. JSON is limited to 250,000 values; a longer chart returns 400. `filter` may be repeated. `segment` shows the `segmentLimit` values (1 to 1000) with the highest `measure` over the period, and all others together as `other`: a flow by its sum, a snapshot by its value at the end, a rate by what it is a part of. Cohorts are ranked by purchases or customers. `measure` is the measure of the chart’s name unless given. A value that is itself `other` is part of it. `previous` adds the figures of another period: `period`, the one before, in whole calendar units where the period or the interval has them; `year`, the same of the year before (by week 52 weeks earlier); `year_weekdays`, 52 weeks earlier by day and week, so that weekdays match; or two days such as `2025-01-01..2025-04-30`. The table has them too, with the change in per cent (of rates in percentage points).
         *
         *     Roles: owner, admin, analyst, finance, viewer. Scopes of a secret key: any.
         */
        get: operations["getChartData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/metrics/charts/{chartId}/band": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the usual band of a chart’s daily figure
         * @description The band is the median of the same weekdays of the 12 weeks before (UTC days, production), and four times their spread on either side: the median absolute deviation, scaled to a standard deviation, and at least what chance alone does. It takes 8 of these days with data, and 20 purchases, customers or subscriptions on a usual one. A day is compared 6 hours after its end.
         *
         *     Roles: owner, admin, analyst, finance, viewer. Scopes of a secret key: any.
         */
        get: operations["getUsualBandOfChartsDailyFigure"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/metrics/charts/{chartId}/compare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare chart data
         * @description In addition to the parameters of the chart, send one pair: `thenAsOf` and `nowAsOf` (now unless given), `thenReplay` and `nowReplay` (live unless given), or `previous` for another period as on the chart. Each difference between two instants or replays has its reasons: the types of events recorded in between. A chart of more than 50,000 values contains only changes, see `isOfChanges`.
         *
         *     Roles: owner, admin, analyst, finance, viewer. Scopes of a secret key: any.
         */
        get: operations["compareChartData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/metrics/charts/{chartId}/compare/customers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the customers behind a reason
         * @description Takes the parameters of the comparison, the start of the `bucket` (or of a cohort row, with the index of the `column`), and the `kind` of the reason. `value` is the customer’s share, `sentence` what changed it.
         *
         *     Roles: owner, admin, analyst, finance, viewer. Scopes of a secret key: any.
         */
        get: operations["listCustomersBehindReason"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/metrics/charts/{chartId}/customers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the customers behind a figure of a chart
         * @description `bucket` is required: the start of a bucket (or of a cohort row) of the chart with the same parameters. `measure` must be one that adds up from customers. For cohorts it is `size`, or another measure with the index of the `column`.
         *
         *     Roles: owner, admin, analyst, finance, viewer. Scopes of a secret key: any.
         */
        get: operations["listCustomersBehindFigureOfChart"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/metrics/charts/{chartId}/definition": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the definition of a chart
         * @description The formula of each measure in words, what applies to trials, grace periods, yearly plans, taxes, refunds and currencies, and an example with numbers. It is the same for all projects.
         *
         *     Roles: owner, admin, analyst, finance, viewer. Scopes of a secret key: any.
         */
        get: operations["getDefinitionOfChart"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/metrics/charts/{chartId}/segments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the values of a segment, with counts
         * @description Takes the parameters of the chart; `segment` is required. Lists at most 1000 values, the most frequent first. Counts are of all purchases or customers that match the filters of other dimensions, in whatever period; filters of the segment itself do not apply.
         *
         *     Roles: owner, admin, analyst, finance, viewer. Scopes of a secret key: any.
         */
        get: operations["listValuesOfSegment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/metrics/charts/{chartId}/watch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Watch a chart’s daily figure, or stop it
         * @description While it is watched, each day whose figure leaves its usual band is recorded once, and webhooks get `FIGURE_OUT_OF_BAND`.
         *
         *     Roles: owner, admin. Scopes of a secret key: `config`.
         */
        put: operations["watchChartsDailyFigure"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/metrics/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get dashboard overview metrics
         * @description Roles: owner, admin, analyst, finance, viewer. Scopes of a secret key: any.
         */
        get: operations["getDashboardOverviewMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/metrics/replays": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List replays, by name
         * @description Roles: owner, admin, analyst, finance, viewer. Scopes of a secret key: any.
         */
        get: operations["listReplays"];
        put?: never;
        /**
         * Create a replay
         * @description Names the charts as of `until`, or under other rules; use it with `?replay=`. Later events do not change it. At most 20 per project.
         *
         *     Roles: owner, admin, analyst. Scopes of a secret key: `config`.
         */
        post: operations["createReplay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/metrics/replays/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a replay
         * @description Roles: owner, admin, analyst. Scopes of a secret key: `config`.
         */
        delete: operations["deleteReplay"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List store notifications, newest first
         * @description `since`: received at this instant or later. A page can contain fewer items than `limit` although there are more.
         *
         *     Roles: all. Scopes of a secret key: any.
         */
        get: operations["listStoreNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/notifications/{nid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a store notification with its decoded content and result
         * @description Roles: all. Scopes of a secret key: any.
         */
        get: operations["getStoreNotificationWithItsDecodedContentAndResult"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/notifications/{nid}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a store notification
         * @description Processes it again with the current version. Missing events are added, none is duplicated. 409 if the store rejects the request.
         *
         *     Roles: owner, admin, support. Scopes of a secret key: `support`.
         */
        post: operations["retryStoreNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/offerings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List offerings
         * @description Roles: all. Scopes of a secret key: any.
         */
        get: operations["listOfferings"];
        put?: never;
        /**
         * Create offering
         * @description The first one becomes current.
         *
         *     Roles: owner, admin. Scopes of a secret key: `config`.
         */
        post: operations["createOffering"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/offerings/{oid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update offering
         * @description Setting an offering as current replaces the previous one atomically.
         *
         *     Roles: owner, admin. Scopes of a secret key: `config`.
         */
        patch: operations["updateOffering"];
        trace?: never;
    };
    "/v1/projects/{id}/offerings/{oid}/packages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List packages
         * @description Roles: all. Scopes of a secret key: any.
         */
        get: operations["listPackages"];
        put?: never;
        /**
         * Create package
         * @description Keys that begin with `$` are `$weekly`, `$monthly`, `$two_month`, `$three_month`, `$six_month`, `$annual` and `$lifetime`.
         *
         *     Roles: owner, admin. Scopes of a secret key: `config`.
         */
        post: operations["createPackage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/offerings/{oid}/packages/{pid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete package
         * @description Roles: owner, admin. Scopes of a secret key: `config`.
         */
        delete: operations["deletePackage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/offerings/{oid}/packages/{pid}/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Attach product to package
         * @description Roles: owner, admin. Scopes of a secret key: `config`.
         */
        post: operations["attachProductToPackage"];
        /**
         * Detach product from package
         * @description Roles: owner, admin. Scopes of a secret key: `config`.
         */
        delete: operations["detachProductFromPackage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/paywalls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List paywalls
         * @description Roles: all. Scopes of a secret key: any.
         */
        get: operations["listPaywalls"];
        put?: never;
        /**
         * Create paywall
         * @description Each offering has at most one published paywall: publishing one unpublishes the previous.
         *
         *     Roles: owner, admin. Scopes of a secret key: `config`.
         */
        post: operations["createPaywall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/paywalls/{pwid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get paywall details
         * @description Roles: all. Scopes of a secret key: any.
         */
        get: operations["getPaywallDetails"];
        put?: never;
        post?: never;
        /**
         * Delete paywall
         * @description Roles: owner, admin. Scopes of a secret key: `config`.
         */
        delete: operations["deletePaywall"];
        options?: never;
        head?: never;
        /**
         * Update paywall
         * @description Roles: owner, admin. Scopes of a secret key: `config`.
         */
        patch: operations["updatePaywall"];
        trace?: never;
    };
    "/v1/projects/{id}/placements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List placements
         * @description Oldest first. `asOf`: as they were at this instant.
         *
         *     Roles: all. Scopes of a secret key: any.
         */
        get: operations["listPlacements"];
        put?: never;
        /**
         * Create placement
         * @description A place in the app that offers something. Targeting rules choose the offering that it shows.
         *
         *     Roles: owner, admin. Scopes of a secret key: `config`.
         */
        post: operations["createPlacement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/placements/{plid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete placement
         * @description 409 while a targeting rule names it.
         *
         *     Roles: owner, admin. Scopes of a secret key: `config`.
         */
        delete: operations["deletePlacement"];
        options?: never;
        head?: never;
        /**
         * Update placement
         * @description Roles: owner, admin. Scopes of a secret key: `config`.
         */
        patch: operations["updatePlacement"];
        trace?: never;
    };
    "/v1/projects/{id}/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List products
         * @description Roles: all. Scopes of a secret key: any.
         */
        get: operations["listProducts"];
        put?: never;
        /**
         * Create product
         * @description Roles: owner, admin. Scopes of a secret key: `config`.
         */
        post: operations["createProduct"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/products/{pid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get product details
         * @description Roles: all. Scopes of a secret key: any.
         */
        get: operations["getProductDetails"];
        put?: never;
        post?: never;
        /**
         * Delete product
         * @description Returns 409 while an entitlement or a package contains it, unless `?force=true`.
         *
         *     Roles: owner, admin. Scopes of a secret key: `config`.
         */
        delete: operations["deleteProduct"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/products/{pid}/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add price
         * @description Used when the store does not report a price.
         *
         *     Roles: owner, admin. Scopes of a secret key: `config`.
         */
        post: operations["addPrice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/products/{pid}/prices/{priceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete price
         * @description Roles: owner, admin. Scopes of a secret key: `config`.
         */
        delete: operations["deletePrice"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/refund-requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List refund requests, the next due first
         * @description Before it decides on a refund, a store may request information about the consumption and wait for it until `respondBy`. By default those that wait for an answer are listed.
         *
         *     Roles: all. Scopes of a secret key: any.
         */
        get: operations["listRefundRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/refund-requests/{requestId}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer the question of a store about a refund
         * @description Sends to the store what the app prefers, and records it on the timeline of the customer. Without `preference` the answer follows the `refundAnswer` of the app. The ios-store takes an answer only with the consent of the customer: the attribute `$refundConsent` is `true`, the app’s `refundConsent` is `terms`, or `customerConsented` says so here. A question that was answered, decided or not answered in time gets 409, and so does an answer that the store refuses. The store decides; it need not follow the answer.
         *
         *     Roles: owner, admin, support. Scopes of a secret key: `support`.
         */
        post: operations["answerQuestionOfStoreAboutRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/setup-status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get setup progress status
         * @description Roles: all. Scopes of a secret key: any.
         */
        get: operations["getSetupProgressStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/simulations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate a customer’s life
         * @description Stores nothing. The steps of the script run through the rules that decide real customers, with the project’s catalogue, and time passes until nothing is left to happen: the answer has the timeline, the access, the webhooks that would be sent, and what it adds to charts. Charges have the catalogue’s price, or the price of the request, and the store’s usual commission; taxes are not known.
         *
         *     Roles: owner, admin, analyst, finance, viewer. Scopes of a secret key: any.
         */
        post: operations["simulateCustomersLife"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/targeting-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List targeting rules
         * @description In their order. `asOf`: as they were at this instant.
         *
         *     Roles: all. Scopes of a secret key: any.
         */
        get: operations["listTargetingRules"];
        put?: never;
        /**
         * Create targeting rule
         * @description The first active rule whose conditions all hold chooses the offerings of a customer; without conditions it holds for everybody. `offeringId` replaces the current offering (null: it does not). `placements` are exceptions to it; an `offeringId` of null shows nothing there. A running experiment that the customer takes part in wins over all rules. Offerings and placements: id or `lookupKey`.
         *
         *     Roles: owner, admin. Scopes of a secret key: `config`.
         */
        post: operations["createTargetingRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/targeting-rules/{ruleId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete targeting rule
         * @description Roles: owner, admin. Scopes of a secret key: `config`.
         */
        delete: operations["deleteTargetingRule"];
        options?: never;
        head?: never;
        /**
         * Update targeting rule
         * @description `position` moves it in the order; 0 is first. Each change adds one to `revision`.
         *
         *     Roles: owner, admin. Scopes of a secret key: `config`.
         */
        patch: operations["updateTargetingRule"];
        trace?: never;
    };
    "/v1/projects/{id}/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List transactions, newest money first
         * @description A refund is a separate entry with the ID of its transaction. `since` is inclusive. Both environments by default.
         *
         *     Roles: all. Scopes of a secret key: any.
         */
        get: operations["listTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/transactions/{transactionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a transaction, with its customer, amounts and events
         * @description Order IDs are accepted too: an android-store order ID is the transaction ID; an ios-store order ID is looked up at the store, which requires its credentials.
         *
         *     Roles: all. Scopes of a secret key: any.
         */
        get: operations["getTransaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/transactions/{transactionId}/test-action": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Act as the test store on a purchase
         * @description For purchases of the test store only; those of other stores get 409. Each action takes effect now and is recorded as the same fact
         *     that a real store reports, in the timeline, sandbox charts and webhooks. `renew` ends the running period and begins the next, which
         *     ends at `expiresAt`, or after the duration of the product; an ended subscription is signed up for again. `cancel` and `uncancel` turn
         *     auto-renewal off and on. `billing_issue` makes the next renewal fail: a grace period follows the paid period until `graceEndsAt`, by
         *     default for the grace period of the product or 3 days, and none if null. `expire` ends the subscription. `refund` refunds the
         *     transaction in full, by the refund policy of the app.
         *
         *     Roles: owner, admin, support. Scopes of a secret key: `support`.
         */
        post: operations["actAsTestStoreOnPurchase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your chart views and shared ones, newest first
         * @description Roles: owner, admin, analyst, finance, viewer.
         */
        get: operations["listYourChartViewsAndSharedOnes"];
        put?: never;
        /**
         * Save a chart view
         * @description `query` contains the `chartId` and the parameters of that chart, `pageQuery` what the dashboard showed. At most 100 views per member, and 100 shared ones per project.
         *
         *     Roles: owner, admin, analyst, finance, viewer.
         */
        post: operations["saveChartView"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/views/{viewId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a chart view
         * @description Roles: owner, admin, analyst, finance, viewer.
         */
        delete: operations["deleteChartView"];
        options?: never;
        head?: never;
        /**
         * Rename or share a chart view
         * @description A shared view is changed by its author, an owner or an admin. `isShared: false` returns it to its author.
         *
         *     Roles: owner, admin, analyst, finance, viewer.
         */
        patch: operations["renameOrShareChartView"];
        trace?: never;
    };
    "/v1/projects/{id}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description Roles: all. Scopes of a secret key: any.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create webhook; the signing secret is only in this response
         * @description `url` receives personal fields: an API key needs the scopes `config` and `pii` to set it.
         *
         *     Roles: owner, admin. Scopes of a secret key: `config`.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/webhooks/{wid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get webhook details
         * @description Roles: all. Scopes of a secret key: any.
         */
        get: operations["getWebhookDetails"];
        put?: never;
        post?: never;
        /**
         * Delete webhook
         * @description Roles: owner, admin. Scopes of a secret key: `config`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Update webhook; `rotateSecret: true` returns a new signing secret
         * @description `url` receives personal fields: an API key needs the scopes `config` and `pii` to set it. A URL of another origin removes the authorization header, unless the request sets a new one.
         *
         *     Roles: owner, admin. Scopes of a secret key: `config`.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/v1/projects/{id}/webhooks/{wid}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries of a webhook, newest first
         * @description Roles: all. Scopes of a secret key: any.
         */
        get: operations["listDeliveriesOfWebhook"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/webhooks/{wid}/deliveries/{did}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a delivery with its body and attempts
         * @description The newest twenty attempts. `responseSnippet` contains the first 4 KiB of the receiver’s response.
         *
         *     Roles: all. Scopes of a secret key: any.
         */
        get: operations["getDeliveryWithItsBodyAndAttempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/webhooks/{wid}/deliveries/{did}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver a webhook
         * @description Roles: owner, admin, support. Scopes of a secret key: `support`.
         */
        post: operations["redeliverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/webhooks/{wid}/examples": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List example events of a webhook
         * @description Roles: all. Scopes of a secret key: any.
         */
        get: operations["listExampleEventsOfWebhook"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/webhooks/{wid}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay the deliveries of a period
         * @description Roles: owner, admin. Scopes of a secret key: `config`.
         */
        post: operations["replayDeliveriesOfPeriod"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/webhooks/{wid}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Roles: owner, admin. Scopes of a secret key: `config`.
         */
        post: operations["sendTestEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/store/android-store/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Receiver for Android store server-to-server notifications */
        post: operations["receiverForAndroidStoreServerToServerNotifications"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/store/ios-store/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Receive iOS store notification */
        post: operations["receiveIosStoreNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscribers/{appUserId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get subscriber info; the subscriber is created if it does not exist
         * @description With a read-only key, an unknown subscriber returns 404 and is not created.
         *
         *     Roles: all. Scopes of a secret key: any.
         */
        get: operations["getSubscriberInfo"];
        put?: never;
        /**
         * Create or update subscriber
         * @description Roles: owner, admin, support. Scopes of a secret key: `write`.
         */
        post: operations["createOrUpdateSubscriber"];
        /**
         * Erase subscriber; attributes, aliases and grants are deleted permanently
         * @description Roles: owner, admin. Scopes of a secret key: `config`.
         */
        delete: operations["eraseSubscriber"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscribers/{appUserId}/attributes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set custom attributes
         * @description `null` and `""` delete an attribute. Attributes set with a public key are not trusted.
         *
         *     Roles: owner, admin, support. Scopes of a secret key: `write` or `support`.
         */
        post: operations["setCustomAttributes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscribers/{appUserId}/entitlements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Grant promotional entitlement
         * @description Send either `duration` or `expiresAt`.
         *
         *     Roles: owner, admin, support. Scopes of a secret key: `write` or `support`.
         */
        post: operations["grantPromotionalEntitlement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscribers/{appUserId}/entitlements/{eid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke promotional entitlement
         * @description Roles: owner, admin, support. Scopes of a secret key: `write` or `support`.
         */
        delete: operations["revokePromotionalEntitlement"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscribers/{appUserId}/offerings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get offerings for a subscriber
         * @description Roles: all. Scopes of a secret key: any.
         */
        get: operations["getOfferingsForSubscriber"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscribers/{appUserId}/receipts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit store receipt
         * @description Submitting a receipt again changes nothing. `receipt` is the signed transaction (JWS) or the app receipt (base64) of the ios-store, or the purchase token of the android-store. Of an app receipt, the latest purchase (of `productId` if sent) and every other one that is not recorded yet are recorded. An app receipt needs the app’s ios-store credentials: 503 when they are missing or rejected, or the store is unavailable; nothing is recorded then, so retry. `isRestore` also records the rest of the buyer’s history in the ios-store, if the app has credentials: subscriptions and one-time purchases except consumables, now or as soon as the store is available. With a secret key, send `appId` if the project has several apps of the store. 202: the receipt is stored, because the app’s android-store credentials are missing or rejected, or the payment is pending; it is retried until that has changed.
         *
         *     Roles: owner, admin, support. Scopes of a secret key: `write`.
         */
        post: operations["submitStoreReceipt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AcceptInvitationBody: {
            token: string;
        };
        AccessChange: {
            /** @description Null if unknown. */
            at: string | null;
            /** @enum {string} */
            effect: "gives" | "takes";
            /** @enum {string} */
            kind: "renewal_due" | "period_ends" | "grace_ends" | "retry_ends" | "resumes" | "payment" | "purchase_ends" | "grant_ends";
            sentence: string;
            source: string;
        };
        AccessExplanation: {
            /** Format: date-time */
            asOf: string;
            /** Format: date-time */
            at: string;
            /** @description The deciding events, at most 8, the newest last. */
            because: components["schemas"]["TimelineEntry"][];
            entitlement: {
                id: string;
                lookupKey: string;
            };
            has: boolean;
            /** @constant */
            object: "accessExplanation";
            sentence: string;
            /** @description Null if it has always been so. */
            since: string | null;
            /** @description All purchases and grants; those that grant it first. */
            sources: components["schemas"]["AccessSource"][];
            /** @description If nothing else happens. Null if permanent, or without access. */
            until: string | null;
            /** @description Next events that would grant or end it. */
            wouldChange: components["schemas"]["AccessChange"][];
        };
        AccessSource: {
            /** @description True if it grants the entitlement at the instant. */
            counts: boolean;
            /** Format: date-time */
            from: string;
            /** @description ID of the subscription, the transaction or the grant. */
            id: string;
            /** @enum {string} */
            kind: "subscription" | "purchase" | "promotional";
            /** @description The customer who has the purchase now. */
            movedTo: string | null;
            sentence: string;
            /** @enum {string} */
            store: "ios-store" | "android-store" | "test-store" | "promotional";
            storeProductId: string | null;
            /** @description Null if permanent. */
            until: string | null;
            /** @enum {string} */
            why: "gives" | "expired" | "refunded" | "revoked" | "paused" | "billing_retry" | "moved" | "sandbox_not_allowed" | "product_not_attached" | "not_begun";
        };
        AccountEvent: {
            /** @description The type of the event, such as `UserPasswordChanged`. */
            action: string;
            /** Format: date-time */
            at: string;
            /** @description An operator did it with the command line. */
            byOperator: boolean;
            id: string;
            /** @constant */
            object: "accountEvent";
        };
        ActAsTestStoreOnPurchaseBody: {
            /** @constant */
            action: "renew";
            /** Format: date-time */
            expiresAt?: string;
        } | {
            /** @constant */
            action: "billing_issue";
            graceEndsAt?: string | null;
        } | {
            /** @enum {string} */
            action: "cancel" | "uncancel" | "expire" | "refund";
        };
        AddAnnotationToDayBody: {
            /** Format: date */
            day: string;
            /**
             * @default note
             * @enum {string}
             */
            kind?: "note" | "release" | "price" | "offering" | "experiment";
            text: string;
        };
        AddPriceBody: {
            amount: number;
            /** @default null */
            country?: string | null;
            currency: string;
            startsAt?: string | null;
        };
        AddVariantBody: {
            /** @default null */
            isControl?: boolean | null;
            name: string;
            offeringId: string;
            /** @default 1 */
            weight?: number;
        };
        AndroidApp: {
            /** Format: date-time */
            createdAt: string;
            id: string;
            iosStoreSmallBusiness: boolean;
            name: string;
            notificationForwardingUrl: string | null;
            /** @description Enter it in the store’s console. Its last part is a secret: the credential of the store’s notifications. Omitted for callers who may not see secrets. */
            notificationUrl?: string | null;
            /** @constant */
            object: "app";
            packageName: string;
            /** @constant */
            platform: "android";
            projectId: string;
            /**
             * @description Answer to the store’s question about a refund; `none`: a member decides each.
             * @enum {string}
             */
            refundAnswer: "none" | "decline" | "grant_full" | "grant_prorated";
            /**
             * @description Who consents that the store gets data about a purchase: customers with the attribute `$refundConsent` = `true`, or all by the app’s terms.
             * @enum {string}
             */
            refundConsent: "each_customer" | "terms";
            /** @enum {string} */
            refundPolicy: "revoke_immediately" | "keep_until_expiry";
            /** @constant */
            store: "android-store";
            /** Format: date-time */
            updatedAt: string;
        };
        AndroidCredentials: {
            clientEmail: string | null;
            /** @constant */
            configured: true;
            /** Format: date-time */
            createdAt: string;
            /** @constant */
            object: "appCredentials";
            /** @constant */
            store: "android-store";
        };
        Annotation: {
            /** @description A change of the catalogue: generated, and cannot be deleted. */
            automatic: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date */
            day: string;
            id: string;
            /** @enum {string} */
            kind: "note" | "release" | "price" | "offering" | "experiment";
            /** @constant */
            object: "annotation";
            text: string;
        };
        AnswerQuestionOfStoreAboutRefundBody: {
            customerConsented?: boolean;
            /** @enum {string} */
            preference?: "decline" | "grant_full" | "grant_prorated";
        };
        ApiKey: {
            appId: string | null;
            /** Format: date-time */
            createdAt: string;
            expiresAt: string | null;
            id: string;
            keyPreview: string;
            /** @enum {string} */
            kind: "secret" | "public";
            /** @description Accurate to the minute. */
            lastUsedAt: string | null;
            name: string;
            /** @constant */
            object: "apiKey";
            /** @description `write`: writes of SDKs and servers; `support`: grants, transfers, retries; `config`: configuration; `pii`: access to personal fields. Each implies `read`. A public key has none. */
            scopes: ("read" | "write" | "support" | "config" | "finance" | "pii")[];
        };
        App: components["schemas"]["IosApp"] | components["schemas"]["AndroidApp"] | components["schemas"]["TestApp"];
        AttachProductBody: {
            productIds: string[];
        } | {
            productId: string;
        };
        AttachProductToPackageBody: {
            productIds: string[];
        } | {
            productId: string;
        };
        BookCorrection: {
            appId: string | null;
            asClosed: {
                ours: {
                    /** @description Omitted for callers who may not see money. */
                    charged?: string;
                    /** @description Omitted for callers who may not see money. */
                    fee?: string;
                    /** @description Omitted for callers who may not see money. */
                    proceeds?: string;
                    /** @description Omitted for callers who may not see money. */
                    refunded?: string;
                    /** @description Omitted for callers who may not see money. */
                    tax?: string;
                };
                store: {
                    /** @description Omitted for callers who may not see money. */
                    charged?: string;
                    /** @description Omitted for callers who may not see money. */
                    fee?: string;
                    /** @description Omitted for callers who may not see money. */
                    proceeds?: string;
                    /** @description Omitted for callers who may not see money. */
                    refunded?: string;
                    /** @description Omitted for callers who may not see money. */
                    tax?: string;
                };
            };
            asKnownNow: {
                ours: {
                    /** @description Omitted for callers who may not see money. */
                    charged?: string;
                    /** @description Omitted for callers who may not see money. */
                    fee?: string;
                    /** @description Omitted for callers who may not see money. */
                    proceeds?: string;
                    /** @description Omitted for callers who may not see money. */
                    refunded?: string;
                    /** @description Omitted for callers who may not see money. */
                    tax?: string;
                };
                store: {
                    /** @description Omitted for callers who may not see money. */
                    charged?: string;
                    /** @description Omitted for callers who may not see money. */
                    fee?: string;
                    /** @description Omitted for callers who may not see money. */
                    proceeds?: string;
                    /** @description Omitted for callers who may not see money. */
                    refunded?: string;
                    /** @description Omitted for callers who may not see money. */
                    tax?: string;
                };
            };
            /** @description Cause as known now; as closed, if the comparison is gone. */
            cause: string;
            causeAsClosed: string | null;
            country: string | null;
            currency: string;
            day: string;
            id: string;
            kind: string;
            /** @constant */
            object: "book_correction";
            sku: string | null;
            transactions: {
                customerId: string | null;
                transactionId: string;
            }[];
        };
        BookEntry: {
            appId: string | null;
            /** @enum {string} */
            cause: "matched" | "timing" | "awaiting_report" | "partial_refund" | "price" | "tax" | "commission" | "free" | "missing_here" | "missing_there" | "not_collected" | "double" | "other_app" | "unexplained";
            /** @description Charges, refunds or reversals of a group; 1 for an order. */
            count: number;
            country: string | null;
            currency: string;
            /** @description Pacific day. */
            day: string;
            /** @description Place in the month, for the next page. */
            id: string;
            /**
             * @description `reversal`: a refund that the store took back.
             * @enum {string}
             */
            kind: "charge" | "refund" | "reversal";
            /** @description `fee_not_stated`: a sales report has no fee: it stands as ours, and is 0 where we have no charge. */
            labels: ("earlier_charge" | "tax_as_ours" | "fee_not_stated" | "paid_in_other_currency")[];
            /** @description Of what only the report had: whether it was read from the store since, or why not. */
            lookUp: {
                at: string | null;
                /** @enum {string} */
                outcome: "recorded" | "no_credentials" | "not_permitted" | "unknown_order" | "no_purchase" | "purchase_deleted" | "not_shown" | "waiting" | "not_named";
                text: string;
            } | null;
            /** @constant */
            object: "book_entry";
            orderId: string | null;
            /** @description `timing`: the month in which the other side has it. */
            otherMonth: string | null;
            ours: {
                /** @description Omitted for callers who may not see money. */
                charged?: string;
                /** @description Omitted for callers who may not see money. */
                fee?: string;
                /** @description Omitted for callers who may not see money. */
                proceeds?: string;
                /** @description Omitted for callers who may not see money. */
                refunded?: string;
                /** @description Omitted for callers who may not see money. */
                tax?: string;
            } | null;
            rows: {
                reportId: string;
                /** @description Line of the file, from 1. */
                row: number;
            }[];
            sku: string | null;
            store: {
                /** @description Omitted for callers who may not see money. */
                charged?: string;
                /** @description Omitted for callers who may not see money. */
                fee?: string;
                /** @description Omitted for callers who may not see money. */
                proceeds?: string;
                /** @description Omitted for callers who may not see money. */
                refunded?: string;
                /** @description Omitted for callers who may not see money. */
                tax?: string;
            } | null;
            /** @description Ours; of a group all that may be meant, at most 20. */
            transactions: {
                customerId: string;
                transactionId: string;
            }[];
        };
        BooksAccounts: {
            accounts: {
                [key: string]: {
                    code: string;
                    name: string;
                };
            };
            /** @constant */
            object: "books_accounts";
        };
        BooksJournal: {
            entries: {
                appId: string | null;
                currency: string;
                date: string;
                id: string;
                lines: {
                    /** @enum {string} */
                    account: "bank" | "receivable" | "storeFees" | "tax" | "deferredRevenue" | "revenue" | "refunds" | "exchangeDifference";
                    /** @description Omitted for callers who may not see money. */
                    credit?: string;
                    /** @description Omitted for callers who may not see money. */
                    debit?: string;
                }[];
                memo: string;
            }[];
            month: string;
            /** @constant */
            object: "books_journal";
        };
        BooksMonth: {
            /** @description Of a closed month: its figures as closed, and the corrections since. */
            closing: components["schemas"]["MonthClosing"] | null;
            /**
             * @description A large month that is being compared with newer facts: ask again. Omitted for a result that has them all.
             * @constant
             */
            isOutdated?: true;
            /** @description `yyyy-mm`. */
            month: string;
            /** @constant */
            object: "books_month";
            /** @description What the stores pay to each account, by type of line: with all apps, and lines of no app. */
            paid: {
                account: string;
                /** @description Omitted for callers who may not see money. */
                amount?: string;
                currency: string;
                /** @enum {string} */
                kind: "earnings" | "sales" | "finance_detail" | "financial" | "payments";
                lines: number;
                type: string;
            }[];
            /** @description What the ios-store pays to the bank for the month, by region and currency, as its payments page states it. */
            payments: {
                account: string;
                /** @description Omitted for callers who may not see money. */
                adjustments?: string;
                bankCurrency: string;
                /** @description Of the region. */
                currency: string;
                /** @description Omitted for callers who may not see money. */
                earned?: string;
                /** @description Omitted for callers who may not see money. */
                inputTax?: string;
                /** @description False for what the store holds back until it is more. */
                isPaid: boolean;
                /** @description Omitted for callers who may not see money. */
                owed?: string;
                /** @description What is paid, in the currency of the bank. Omitted for callers who may not see money. */
                proceeds?: string;
                region: string;
                units: number;
                /** @description Omitted for callers who may not see money. */
                withholdingTax?: string;
            }[];
            /** @description Days of the month as each store counts them. */
            periods: {
                /** @description Pacific day. */
                endDate: string;
                /** @enum {string} */
                kind: "earnings" | "finance_detail";
                /** @description Pacific day. */
                startDate: string;
            }[];
            reports: components["schemas"]["StoreReport"][];
            /**
             * @description `open`: it has not ended, a report is missing, or purchases wait for one. `complete`: nothing waits. `empty`: no purchase. `closed`: its figures are frozen; see `…/closing`.
             * @enum {string}
             */
            state: "empty" | "open" | "complete" | "closed";
            tables: {
                /** @description Null: of no app of the project. */
                appId: string | null;
                causes: {
                    /** @enum {string} */
                    cause: "matched" | "timing" | "awaiting_report" | "partial_refund" | "price" | "tax" | "commission" | "free" | "missing_here" | "missing_there" | "not_collected" | "double" | "other_app" | "unexplained";
                    difference: {
                        /** @description Omitted for callers who may not see money. */
                        charged?: string;
                        /** @description Omitted for callers who may not see money. */
                        fee?: string;
                        /** @description Omitted for callers who may not see money. */
                        proceeds?: string;
                        /** @description Omitted for callers who may not see money. */
                        refunded?: string;
                        /** @description Omitted for callers who may not see money. */
                        tax?: string;
                    };
                    entries: number;
                }[];
                /** @description The buyers’ currency. */
                currency: string;
                /** @description `store` less `ours`: the sum of the differences of all causes. */
                difference: {
                    /** @description Omitted for callers who may not see money. */
                    charged?: string;
                    /** @description Omitted for callers who may not see money. */
                    fee?: string;
                    /** @description Omitted for callers who may not see money. */
                    proceeds?: string;
                    /** @description Omitted for callers who may not see money. */
                    refunded?: string;
                    /** @description Omitted for callers who may not see money. */
                    tax?: string;
                };
                ours: {
                    /** @description Omitted for callers who may not see money. */
                    charged?: string;
                    /** @description Omitted for callers who may not see money. */
                    fee?: string;
                    /** @description Omitted for callers who may not see money. */
                    proceeds?: string;
                    /** @description Omitted for callers who may not see money. */
                    refunded?: string;
                    /** @description Omitted for callers who may not see money. */
                    tax?: string;
                };
                store: {
                    /** @description Omitted for callers who may not see money. */
                    charged?: string;
                    /** @description Omitted for callers who may not see money. */
                    fee?: string;
                    /** @description Omitted for callers who may not see money. */
                    proceeds?: string;
                    /** @description Omitted for callers who may not see money. */
                    refunded?: string;
                    /** @description Omitted for callers who may not see money. */
                    tax?: string;
                };
            }[];
        };
        BooksSchedule: {
            /** @description `gross`: revenue is what buyers pay, with tax and the store’s fee. `net`: what is left after both. Null: not set yet; no revenue is computed. */
            basis: ("gross" | "net") | null;
            /** @description `yyyy-mm`. */
            from: string;
            /** @description Months over which a purchase without an end is recognised; 0: at once. */
            lifetimeMonths: number;
            /** @description What to do before there are figures; null if there are. */
            notice: string | null;
            /** @constant */
            object: "books_schedule";
            rows: {
                /** @description Omitted for callers who may not see money. */
                billed?: string;
                /** @description `opening` + `billed` − `recognised` − `refunded`. Omitted for callers who may not see money. */
                closing?: string;
                currency: string;
                /** @description `yyyy-mm`. */
                month: string;
                /** @description Deferred at the start of the month. Omitted for callers who may not see money. */
                opening?: string;
                /** @description Less what had been recognised of charges that were refunded. Omitted for callers who may not see money. */
                recognised?: string;
                /** @description Omitted for callers who may not see money. */
                refunded?: string;
            }[];
            /** @description IANA time zone in which days and months are counted. */
            timeZone: string;
            /** @description `yyyy-mm`. */
            to: string;
            /** @description Charges whose price is unknown; they are in no figure. */
            unpriced: number;
        };
        BooksSettings: {
            /** @description `gross`: revenue is what buyers pay, with tax and the store’s fee. `net`: what is left after both. Null: not set yet; no revenue is computed. */
            basis: ("gross" | "net") | null;
            /** @description Months over which a purchase without an end is recognised; 0: at once. */
            lifetimeMonths: number;
            /** @constant */
            object: "books_settings";
            /** @description IANA time zone in which days and months are counted. */
            timeZone: string;
        };
        BooksWaterfall: {
            /** @description `gross`: revenue is what buyers pay, with tax and the store’s fee. `net`: what is left after both. Null: not set yet; no revenue is computed. */
            basis: ("gross" | "net") | null;
            /** @description `yyyy-mm`. */
            from: string;
            /** @description Months over which a purchase without an end is recognised; 0: at once. */
            lifetimeMonths: number;
            /** @description What to do before there are figures; null if there are. */
            notice: string | null;
            /** @constant */
            object: "books_waterfall";
            rows: {
                /** @description Omitted for callers who may not see money. */
                billed?: string;
                cells: {
                    /** @description Month recognised. */
                    month: string;
                    /** @description Omitted for callers who may not see money. */
                    recognised?: string;
                }[];
                currency: string;
                /** @description Recognised after the last month. `billed` is the sum of cells, this and `refunded`. Omitted for callers who may not see money. */
                later?: string;
                /** @description Month billed. */
                month: string;
                /** @description Omitted for callers who may not see money. */
                refunded?: string;
            }[];
            /** @description IANA time zone in which days and months are counted. */
            timeZone: string;
            /** @description `yyyy-mm`. */
            to: string;
        };
        Change: {
            /** @description The type of the event, such as `ApiKeyDeleted`. */
            action: string;
            actor: {
                id: string;
                /** @enum {string} */
                kind: "user" | "api_key" | "store" | "system" | "import";
                /** @description Name of the API key, also of a deleted one; name of the user, else their email. Null for a store and the service itself, for an erased user, and for users if the caller may not list members. */
                name: string | null;
                /** @description Tool through which the request came, such as `mcp: claude-code`. */
                via?: string;
            };
            /** @description Null if removed. */
            after: {
                [key: string]: unknown;
            } | null;
            /** Format: date-time */
            at: string;
            /** @description Null if there was none. A long document is replaced by its size. */
            before: {
                [key: string]: unknown;
            } | null;
            id: string;
            /** @constant */
            object: "change";
            target: {
                /** @description Customer of a grant. */
                customerId: string | null;
                id: string;
                kind: string;
                /** @description Its latest name, also if it was deleted. Null if it has none. */
                name: string | null;
            };
        };
        ChangeOwnNameBody: {
            name: string | null;
        };
        ChangeOwnPasswordBody: {
            /** @description Six digits from the authenticator app, or a recovery code. */
            code?: string;
            newPassword: string;
            password: string;
            /**
             * @description `cookie`: for a browser page, so that no script can read the refresh token.
             * @default token
             * @enum {string}
             */
            session?: "token" | "cookie";
        };
        ChangeRoleOfMemberBody: {
            /** @enum {string} */
            role: "owner" | "admin" | "analyst" | "finance" | "support" | "viewer";
        };
        Chart: {
            /** @enum {string} */
            category: "revenue" | "subscriptions" | "trials" | "customers" | "conversion" | "cohort";
            description: string;
            /**
             * @description How the values of a chart of series are drawn best.
             * @enum {string}
             */
            drawing: "lines" | "bars" | "movement";
            filters: ("store" | "appId" | "productId" | "productDuration" | "offeringId" | "offerType" | "startReason" | "country" | "platform")[];
            id: string;
            intervals: ("day" | "week" | "month" | "quarter" | "year")[];
            /** @description It has a usual band, which can be watched. */
            isWatchable: boolean;
            /** @enum {string} */
            kind: "series" | "cohort";
            measures: {
                id: string;
                name: string;
                /**
                 * @description Only in movements. A loss is a positive number.
                 * @enum {string}
                 */
                part?: "gain" | "loss" | "balance";
                /** @enum {string} */
                unit: "count" | "usd" | "percent";
            }[];
            name: string;
            /** @constant */
            object: "chart";
            segments: ("store" | "appId" | "productId" | "productDuration" | "offeringId" | "offerType" | "startReason" | "country" | "platform")[];
            selectors: {
                [key: string]: {
                    default: string;
                    values: string[] | null;
                };
            };
            /** @enum {string} */
            unit: "count" | "usd" | "percent";
        };
        ChartComparison: {
            buckets?: {
                /** @constant */
                clipped?: true;
                end: string | null;
                incomplete: boolean;
                /** @description Null if only the other period has the bucket. */
                start: string | null;
                /** @description For two periods: start of the bucket in the other one. Null if it has none. */
                thenStart?: string | null;
                values: {
                    [key: string]: components["schemas"]["ChartDifference"];
                };
            }[];
            currency: string;
            /** Format: date */
            endDate: string;
            id: string;
            /** @description Filter dimensions that do not apply to a count of customers and are ignored. */
            ignoredFilters?: ("store" | "appId" | "productId" | "productDuration" | "offeringId" | "offerType" | "startReason" | "country" | "platform")[];
            /** @enum {string} */
            interval: "day" | "week" | "month" | "quarter" | "year";
            /**
             * @description Set for charts of more than 50,000 values: buckets, rows and columns of only one side, or without any change, are omitted, and reasons contain no customers; use `…/compare/customers`.
             * @constant
             */
            isOfChanges?: true;
            /** @enum {string} */
            kind: "series" | "cohort";
            /** Format: date-time */
            lastComputedAt: string;
            measures: {
                /** @description For a rate: the two measures whose reasons explain it. For `realized_ltv_per_customer` in `cohort_explorer`: the values of `cohortMeasure=realized_ltv`, and `size`. */
                explainedBy?: string[];
                id: string;
                name: string;
                /** @description `count`, `percent`, or the requested currency in lower case. */
                unit: ("count" | "usd" | "percent") | string;
            }[];
            name: string;
            now: {
                /** Format: date-time */
                asOf: string;
                /** Format: date */
                endDate: string;
                replay?: {
                    /** Format: date-time */
                    madeAt: string;
                    name: string;
                    until: string | null;
                    whatIf: {
                        [key: string]: string | number;
                    };
                };
                /** Format: date */
                startDate: string;
            };
            /** @constant */
            object: "chartComparison";
            rows?: {
                /** @constant */
                clipped?: true;
                columns: {
                    [key: string]: number | boolean | components["schemas"]["ChartDifference"];
                }[];
                end: string | null;
                incomplete: boolean;
                size: components["schemas"]["ChartDifference"];
                /** @description Null if only the other period has the bucket. */
                start: string | null;
                /** @description For two periods: start of the bucket in the other one. Null if it has none. */
                thenStart?: string | null;
            }[];
            /** @enum {string} */
            segment?: "store" | "appId" | "productId" | "productDuration" | "offeringId" | "offerType" | "startReason" | "country" | "platform";
            segments?: {
                [key: string]: {
                    buckets?: {
                        /** @constant */
                        clipped?: true;
                        end: string | null;
                        incomplete: boolean;
                        /** @description Null if only the other period has the bucket. */
                        start: string | null;
                        /** @description For two periods: start of the bucket in the other one. Null if it has none. */
                        thenStart?: string | null;
                        values: {
                            [key: string]: components["schemas"]["ChartDifference"];
                        };
                    }[];
                    name: string | null;
                    rows?: {
                        /** @constant */
                        clipped?: true;
                        columns: {
                            [key: string]: number | boolean | components["schemas"]["ChartDifference"];
                        }[];
                        end: string | null;
                        incomplete: boolean;
                        size: components["schemas"]["ChartDifference"];
                        /** @description Null if only the other period has the bucket. */
                        start: string | null;
                        /** @description For two periods: start of the bucket in the other one. Null if it has none. */
                        thenStart?: string | null;
                    }[];
                };
            };
            /**
             * Format: date-time
             * @description The charts have halted: events recorded since then are not included. Omitted for current figures.
             */
            staleSince?: string;
            /** Format: date */
            startDate: string;
            then: {
                /** Format: date-time */
                asOf: string;
                /** Format: date */
                endDate: string;
                replay?: {
                    /** Format: date-time */
                    madeAt: string;
                    name: string;
                    until: string | null;
                    whatIf: {
                        [key: string]: string | number;
                    };
                };
                /** Format: date */
                startDate: string;
            };
            total?: {
                buckets?: {
                    /** @constant */
                    clipped?: true;
                    end: string | null;
                    incomplete: boolean;
                    /** @description Null if only the other period has the bucket. */
                    start: string | null;
                    /** @description For two periods: start of the bucket in the other one. Null if it has none. */
                    thenStart?: string | null;
                    values: {
                        [key: string]: components["schemas"]["ChartDifference"];
                    };
                }[];
                rows?: {
                    /** @constant */
                    clipped?: true;
                    columns: {
                        [key: string]: number | boolean | components["schemas"]["ChartDifference"];
                    }[];
                    end: string | null;
                    incomplete: boolean;
                    size: components["schemas"]["ChartDifference"];
                    /** @description Null if only the other period has the bucket. */
                    start: string | null;
                    /** @description For two periods: start of the bucket in the other one. Null if it has none. */
                    thenStart?: string | null;
                }[];
            };
            /** @description For currencies other than USD: paid transactions that are not included, for lack of an exchange rate on their day. `days` are the first ten of `dayCount`. */
            unconverted?: {
                dayCount: number;
                days: string[];
                firstDay: string | null;
                lastDay: string | null;
                transactions: number;
            };
            /** @description `count`, `percent`, or the requested currency in lower case. */
            unit: ("count" | "usd" | "percent") | string;
        };
        ChartData: {
            /** Format: date-time */
            asOf: string;
            buckets?: {
                /**
                 * @description The period contains only part of this calendar interval. Omitted for complete intervals.
                 * @constant
                 */
                clipped?: true;
                /** Format: date-time */
                end: string;
                incomplete: boolean;
                /** Format: date-time */
                start: string;
                values: {
                    [key: string]: number | null;
                };
            }[];
            currency: string;
            /** Format: date */
            endDate: string;
            id: string;
            /** @description Filter dimensions that do not apply to a count of customers and are ignored. */
            ignoredFilters?: ("store" | "appId" | "productId" | "productDuration" | "offeringId" | "offerType" | "startReason" | "country" | "platform")[];
            /** @enum {string} */
            interval: "day" | "week" | "month" | "quarter" | "year";
            /** @enum {string} */
            kind: "series" | "cohort";
            /** Format: date-time */
            lastComputedAt: string;
            measures: {
                id: string;
                name: string;
                /** @description `count`, `percent`, or the requested currency in lower case. */
                unit: ("count" | "usd" | "percent") | string;
            }[];
            name: string;
            /** @constant */
            object: "chartData";
            previous?: components["schemas"]["PreviousChartData"];
            /**
             * @description The amounts of the stores’ reports replace estimates where they are known. Omitted for estimates alone.
             * @constant
             */
            proceedsBasis?: "settled";
            replay?: {
                /** Format: date-time */
                madeAt: string;
                name: string;
                until: string | null;
                whatIf: {
                    [key: string]: string | number;
                };
            };
            rows?: {
                /**
                 * @description The period contains only part of this calendar interval. Omitted for complete intervals.
                 * @constant
                 */
                clipped?: true;
                columns: {
                    [key: string]: number | boolean | null;
                }[];
                /** Format: date-time */
                end: string;
                incomplete: boolean;
                size: number;
                /** Format: date-time */
                start: string;
            }[];
            /** @enum {string} */
            segment?: "store" | "appId" | "productId" | "productDuration" | "offeringId" | "offerType" | "startReason" | "country" | "platform";
            /** @description By value, the largest first, `other` last. `name`: display name of the product, app or offering with this ID. */
            segments?: {
                [key: string]: {
                    buckets?: {
                        /**
                         * @description The period contains only part of this calendar interval. Omitted for complete intervals.
                         * @constant
                         */
                        clipped?: true;
                        /** Format: date-time */
                        end: string;
                        incomplete: boolean;
                        /** Format: date-time */
                        start: string;
                        values: {
                            [key: string]: number | null;
                        };
                    }[];
                    name: string | null;
                    rows?: {
                        /**
                         * @description The period contains only part of this calendar interval. Omitted for complete intervals.
                         * @constant
                         */
                        clipped?: true;
                        columns: {
                            [key: string]: number | boolean | null;
                        }[];
                        /** Format: date-time */
                        end: string;
                        incomplete: boolean;
                        size: number;
                        /** Format: date-time */
                        start: string;
                    }[];
                    summary: {
                        [key: string]: {
                            average: number | null;
                            last: number | null;
                            total?: number;
                        };
                    };
                };
            };
            /** @description Share of the charges, by gross amount from 0 to 1, that the stores’ reports have: of the period, and of each bucket. Null without charges. */
            settledShare?: {
                buckets: (number | null)[];
                total: number | null;
            };
            /**
             * Format: date-time
             * @description The charts have halted: events recorded since then are not included. Omitted for current figures.
             */
            staleSince?: string;
            /** Format: date */
            startDate: string;
            summary: {
                [key: string]: {
                    average: number | null;
                    last: number | null;
                    total?: number;
                };
            };
            /** @description With segments: the total, equal to the chart without segments. */
            total?: {
                buckets?: {
                    /**
                     * @description The period contains only part of this calendar interval. Omitted for complete intervals.
                     * @constant
                     */
                    clipped?: true;
                    /** Format: date-time */
                    end: string;
                    incomplete: boolean;
                    /** Format: date-time */
                    start: string;
                    values: {
                        [key: string]: number | null;
                    };
                }[];
                rows?: {
                    /**
                     * @description The period contains only part of this calendar interval. Omitted for complete intervals.
                     * @constant
                     */
                    clipped?: true;
                    columns: {
                        [key: string]: number | boolean | null;
                    }[];
                    /** Format: date-time */
                    end: string;
                    incomplete: boolean;
                    size: number;
                    /** Format: date-time */
                    start: string;
                }[];
                summary: {
                    [key: string]: {
                        average: number | null;
                        last: number | null;
                        total?: number;
                    };
                };
            };
            /** @description For currencies other than USD: paid transactions that are not included, for lack of an exchange rate on their day. `days` are the first ten of `dayCount`. */
            unconverted?: {
                dayCount: number;
                days: string[];
                firstDay: string | null;
                lastDay: string | null;
                transactions: number;
            };
            /** @description `count`, `percent`, or the requested currency in lower case. */
            unit: ("count" | "usd" | "percent") | string;
        };
        ChartDefinition: {
            description: string;
            edgeCases: {
                /** @enum {string} */
                case: "trials" | "grace" | "annual" | "taxes" | "refunds" | "currency";
                text: string;
            }[];
            example: {
                /**
                 * Format: date
                 * @description What happened before this day is known.
                 */
                asOf: string;
                because: string;
                /** @description Index of the column that the figures of a cohort are of. */
                column?: number;
                figures: {
                    /** @description Calculation by hand, whose result is the value. */
                    calculation: string;
                    measure: string;
                    name: string;
                    /** @enum {string} */
                    unit: "count" | "usd" | "percent";
                    value: number;
                }[];
                /**
                 * Format: date
                 * @description First day of the month that the figures are of.
                 */
                month: string;
                /** @description What the customers of the example do, one sentence each. */
                steps: string[];
            };
            formulas: {
                measure: string;
                name: string;
                text: string;
            }[];
            id: string;
            name: string;
            /** @constant */
            object: "chartDefinition";
        };
        /** @description The `reasons` add up to the `difference`. Omitted for rates, for periods, and if no customer has changed. */
        ChartDifference: {
            difference: number | null;
            now: number | null;
            reasons?: components["schemas"]["ChartReason"][];
            then: number | null;
        };
        /** @description Part of a difference. `kind`: type of the events recorded in between, or `time` for changes by elapsed time, `setting` for the rules of a replay, `rates` and `products` for exchange rates and catalogue products recorded since. `sentence`: the same in words, with the times at which it took effect and was received if the customers are few. `count`: number of customers; `customers`: at most 20 of them. */
        ChartReason: {
            amount: number;
            count: number;
            customers: string[];
            kind: string;
            sentence: string;
        };
        ChartSegment: {
            /** @description Number of purchases, or of customers for the dimensions of customers. */
            count: number;
            /** @description Display name of the product, app or offering with this ID. */
            name: string | null;
            /** @constant */
            object: "chartSegment";
            /** @description Value for `filter`; `null` if it is unknown. */
            value: string;
        };
        ChartView: {
            /** Format: date-time */
            createdAt: string;
            id: string;
            /** @description It is on the overview of those who see it. */
            isOnOverview: boolean;
            /** @description You saved it. */
            isOwn: boolean;
            /** @description All members who may read charts see it. */
            isShared: boolean;
            name: string;
            /** @constant */
            object: "view";
            /** @description Query of the dashboard’s page, which opens what was seen; may be empty. */
            pageQuery: string;
            /** @description Chart ID and parameters, including defaults. */
            query: {
                [key: string]: unknown;
            };
        };
        CloseMonthOfBooksBody: {
            incompleteReason?: string;
        };
        ConfirmImportBody: {
            digest: string;
        };
        ConfirmSecondFactorBody: {
            /** @description Six digits from the authenticator app, or a recovery code. */
            code: string;
        };
        CreateApiKeyBody: {
            appId?: string;
            /** Format: date-time */
            expiresAt?: string;
            /** @description Public key that is in a published app already; it is accepted by the compatibility API. */
            key?: string;
            /**
             * @default secret
             * @enum {string}
             */
            kind?: "secret" | "public";
            name: string;
            scopes?: ("read" | "write" | "support" | "config" | "finance" | "pii")[];
        };
        CreateEntitlementBody: {
            /** @default null */
            description?: string | null;
            displayName: string;
            lookupKey: string;
        };
        CreateExperimentBody: {
            audience?: {
                /** @default null */
                appIds?: string[] | null;
                /** @default null */
                countries?: string[] | null;
                /** @default null */
                minAppVersion?: string | null;
                /** @default null */
                platforms?: ("ios" | "android" | "macos" | "tvos" | "watchos" | "visionos" | "web")[] | null;
            };
            /** @default null */
            description?: string | null;
            /** @default 100 */
            enrollmentPercentage?: number;
            name: string;
            /**
             * @default realized_ltv_per_customer
             * @enum {string}
             */
            primaryMetric?: "customers" | "initial_conversions" | "initial_conversion_rate" | "trials_started" | "trials_completed" | "trials_converted" | "trial_conversion_rate" | "paying_customers" | "conversion_to_paying_rate" | "active_subscribers" | "churned_subscribers" | "refunded_customers" | "realized_ltv_usd" | "realized_ltv_per_customer" | "realized_ltv_per_paying_customer" | "mrr" | "mrr_per_customer";
            /** @constant */
            status?: "draft";
        };
        CreateOfferingBody: {
            displayName: string;
            /** @default false */
            isCurrent?: boolean;
            lookupKey: string;
            metadata?: Record<string, never> | null;
        };
        CreateOrUpdateSubscriberBody: {
            appVersion?: string;
            attributes?: {
                [key: string]: (string | null) | {
                    updatedAtMs: number;
                    value: string | null;
                };
            };
            country?: string;
            locale?: string;
            /** @enum {string} */
            platform?: "ios" | "android" | "macos" | "tvos" | "watchos" | "visionos" | "web";
            previousAppUserId?: string;
        };
        CreatePackageBody: {
            displayName: string;
            lookupKey: string;
            position?: number;
        };
        CreatePaywallBody: {
            /** @description Any object of at most 256 KiB, 10 levels deep. */
            config: Record<string, never>;
            /** @default en */
            defaultLocale?: string;
            /**
             * @description Any object of at most 256 KiB, 10 levels deep.
             * @default {}
             */
            localizations?: Record<string, never>;
            name: string;
            offeringId: string;
            /**
             * @default draft
             * @enum {string}
             */
            status?: "draft" | "published";
        };
        CreatePlacementBody: {
            displayName: string;
            lookupKey: string;
        };
        CreateProductBody: {
            appId: string;
            displayName: string;
            /** @default null */
            duration?: string | null;
            /** @default null */
            gracePeriodDuration?: string | null;
            storeProductId: string;
            /** @default null */
            trialDuration?: string | null;
            /** @enum {string} */
            type: "subscription" | "consumable" | "non_consumable" | "non_renewing_subscription";
        };
        CreateProjectBody: {
            /**
             * @description Currency in which the dashboard opens charts.
             * @default USD
             */
            displayCurrency?: string;
            name: string;
            /**
             * @default anybody
             * @enum {string}
             */
            sandboxAccess?: "anybody" | "nobody";
            /** @constant */
            timezone?: "UTC";
            /**
             * @default transfer
             * @enum {string}
             */
            transferBehavior?: "transfer" | "transfer_if_no_active" | "keep";
        };
        CreateReplayBody: {
            name: string;
            /** Format: date-time */
            until?: string;
            /** @default {} */
            whatIf?: {
                /** @description Share of the price (0 to 1) that the stores keep. */
                commission?: number;
                /**
                 * @description Whether refunds end access.
                 * @enum {string}
                 */
                refundPolicy?: "revoke_immediately" | "keep_until_expiry";
            };
        };
        CreateTargetingRuleBody: {
            conditions?: ({
                /** @constant */
                kind: "country";
                /** @enum {string} */
                operator: "in" | "not_in";
                values: string[];
            } | {
                /** @constant */
                kind: "platform";
                /** @enum {string} */
                operator: "in" | "not_in";
                values: ("ios" | "android" | "macos" | "tvos" | "watchos" | "visionos" | "web")[];
            } | {
                /** @constant */
                kind: "app_version";
                /** @enum {string} */
                operator: "at_least" | "below";
                value: string;
            } | {
                /** @constant */
                kind: "attribute";
                name: string;
                /** @enum {string} */
                operator: "in" | "not_in";
                values: string[];
            } | {
                /** @constant */
                kind: "attribute_set";
                name: string;
                value: boolean;
            } | {
                /** Format: date-time */
                at: string;
                /** @constant */
                kind: "first_seen";
                /** @enum {string} */
                operator: "before" | "from";
            } | {
                /** @constant */
                kind: "subscriber";
                value: boolean;
            })[];
            /** @default true */
            isActive?: boolean;
            name: string;
            /** @default null */
            offeringId?: string | null;
            /** @default [] */
            placements?: {
                offeringId: string | null;
                placementId: string;
            }[];
            /** @default null */
            position?: number | null;
        };
        CreateWebhookBody: {
            /** @default null */
            appId?: string | null;
            /** @default null */
            authorizationHeader?: string | null;
            /** @default true */
            enabled?: boolean;
            /** @default null */
            environment?: ("production" | "sandbox") | null;
            eventTypes?: ("TEST" | "TRANSFER" | "SUBSCRIBER_ALIAS" | "INITIAL_PURCHASE" | "RENEWAL" | "NON_RENEWING_PURCHASE" | "TEMPORARY_ENTITLEMENT_GRANT" | "PRODUCT_CHANGE" | "BILLING_ISSUE" | "CANCELLATION" | "UNCANCELLATION" | "SUBSCRIPTION_PAUSED" | "SUBSCRIPTION_EXTENDED" | "EXPIRATION" | "REFUND" | "REFUND_REVERSED" | "PRICE_CORRECTED" | "PRICE_INCREASE_CONSENT_REQUIRED" | "PRICE_INCREASE_CONSENT_APPROVED" | "EXPERIMENT_ENROLLMENT" | "ENTITLEMENT_CHANGED" | "BOOKS_MONTH_COMPLETE" | "BOOKS_LINE_MISSING_HERE" | "FIGURE_OUT_OF_BAND" | "INVOICE_ISSUANCE" | "VIRTUAL_CURRENCY_TRANSACTION" | "PURCHASE_REDEEMED" | "PAYWALL_IMPRESSION" | "PAYWALL_CLOSE" | "PAYWALL_CANCEL" | "PAYWALL_EXIT_OFFER" | "PAYWALL_COMPONENT_INTERACTED")[] | null;
            /** @default null */
            name?: string | null;
            /** @default true */
            ordered?: boolean;
            /**
             * @description `revenuecat`: names, values and kinds of RevenueCat’s webhooks, signed in its way too.
             * @default camelCase
             * @enum {string}
             */
            payloadFormat?: "camelCase" | "snake_case" | "revenuecat";
            /** @default false */
            sendTestEvent?: boolean;
            url: string;
        };
        CredentialsStatus: {
            configured: boolean;
            lastCheckedAt: string | null;
            lastError: string | null;
            notifications: {
                forwarding: {
                    lastAt: string | null;
                    lastStatus: number | null;
                    url: string | null;
                };
                last24h: {
                    processed: number;
                    received: number;
                    refused: number;
                };
                lastReceivedAt: string | null;
                lastTestAt: string | null;
                /** @description Omitted for callers who may not see secrets. */
                url?: string | null;
            };
            /** @constant */
            object: "credentialsStatus";
            /** @enum {string} */
            store: "ios-store" | "android-store" | "test-store";
            /** @description Null until they have been used at the store. */
            valid: boolean | null;
        };
        Customer: {
            activeEntitlements: string[];
            aliases: string[];
            appUserId: string;
            country: string | null;
            /** Format: date-time */
            firstSeenAt: string;
            id: string;
            /** Format: date-time */
            lastSeenAt: string;
            /** @constant */
            object: "customer";
            platform: string | null;
            /** @enum {string} */
            status: "active" | "trial" | "grace_period" | "billing_retry" | "expired" | "transferred" | "never";
            /** @description Omitted for callers who may not see money. */
            totalSpentUsd?: number;
        };
        CustomerCount: {
            /** @description `false`: there may be more, after those that were looked at. */
            complete: boolean;
            /** @description Number of customers that match, among those that were looked at. */
            count: number;
            /** @description Number of customers that were looked at, about 5000 at most. */
            examined: number;
            /** @constant */
            object: "customerCount";
        };
        CustomerDetail: {
            activeEntitlements: string[];
            aliases: string[];
            appUserId: string;
            /** @description Omitted for callers who may not see personal fields. */
            attributes?: {
                [key: string]: {
                    /** Format: date-time */
                    updatedAt: string;
                    value: string;
                };
            };
            country: string | null;
            entitlements: components["schemas"]["CustomerEntitlement"][];
            experiments: components["schemas"]["Enrolment"][];
            /** Format: date-time */
            firstSeenAt: string;
            id: string;
            /** Format: date-time */
            lastSeenAt: string;
            /** @constant */
            object: "customer";
            platform: string | null;
            promotionalGrants: components["schemas"]["Grant"][];
            purchases: components["schemas"]["Purchase"][];
            /** @enum {string} */
            status: "active" | "trial" | "grace_period" | "billing_retry" | "expired" | "transferred" | "never";
            subscriptions: components["schemas"]["Subscription"][];
            /** @description Omitted for callers who may not see money. */
            totalSpentUsd?: number;
        };
        CustomerEntitlement: {
            active: boolean;
            entitlementId: string;
            expiresAt: string | null;
            inGracePeriod: boolean;
            lookupKey: string;
            productId: string | null;
            /** @enum {string} */
            source: "subscription" | "purchase" | "promotional";
            /** @enum {string} */
            store: "ios-store" | "android-store" | "test-store" | "promotional";
            subscriptionId: string | null;
            willRenew: boolean;
        };
        CustomerSegment: {
            /** Format: date-time */
            createdAt: string;
            id: string;
            name: string;
            /** @constant */
            object: "customerSegment";
            /** @description Filters and order of the customer list. */
            query: {
                [key: string]: unknown;
            };
        };
        CustomEvent: {
            appUserId: string | null;
            customerId: string;
            /** @description Identifies duplicates. */
            eventId: string;
            id: string;
            name: string;
            /** @constant */
            object: "event";
            /** Format: date-time */
            occurredAt: string;
            /** @description Null for a customer who was erased. Omitted for callers who may not see personal fields. */
            properties?: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            recordedAt: string;
        };
        Delivery: {
            appUserId: string | null;
            attempts: {
                /** Format: date-time */
                at: string;
                errorCode: string | null;
                ms: number;
                /** @description Omitted for callers who may not see money and personal fields. */
                responseSnippet?: string | null;
                status: number | null;
            }[];
            /** Format: date-time */
            createdAt: string;
            /** @description The `webhook-id`, equal for all attempts. */
            eventId: string;
            id: string;
            nextAttemptAt: string | null;
            /** @constant */
            object: "delivery";
            /** @enum {string} */
            state: "pending" | "delivered" | "failed" | "held";
            type: string;
        };
        DeliveryDetail: {
            appUserId: string | null;
            attempts: {
                /** Format: date-time */
                at: string;
                errorCode: string | null;
                ms: number;
                /** @description Omitted for callers who may not see money and personal fields. */
                responseSnippet?: string | null;
                status: number | null;
            }[];
            /** @description Request body; null if it is no longer stored. Without amounts for callers who may not see money. Omitted for callers who may not see personal fields. */
            body?: string | null;
            contentType: string | null;
            /** Format: date-time */
            createdAt: string;
            /** @description The `webhook-id`, equal for all attempts. */
            eventId: string;
            id: string;
            nextAttemptAt: string | null;
            /** @constant */
            object: "delivery";
            /** @enum {string} */
            state: "pending" | "delivered" | "failed" | "held";
            type: string;
        };
        DemoPurchase: {
            appUserId: string;
            customerId: string;
            /** @constant */
            object: "demoPurchase";
            storeProductId: string;
            transactionId: string;
        };
        DetachProductBody: {
            productIds: string[];
        } | {
            productId: string;
        };
        DetachProductFromPackageBody: {
            productIds: string[];
        } | {
            productId: string;
        };
        EndedSession: {
            /** @constant */
            deleted: true;
            id: string | null;
            /** @constant */
            object: "session";
        };
        EndedSessions: {
            count: number;
            /** @constant */
            object: "endedSessions";
        };
        Enrolment: {
            /** Format: date-time */
            enrolledAt: string;
            experimentId: string;
            offeringId: string;
            variantId: string;
            variantName: string;
        };
        Entitlement: {
            /** Format: date-time */
            createdAt: string;
            description: string | null;
            displayName: string;
            id: string;
            lookupKey: string;
            /** @constant */
            object: "entitlement";
            /** Format: date-time */
            updatedAt: string;
        };
        EntitlementWithProducts: {
            /** Format: date-time */
            createdAt: string;
            description: string | null;
            displayName: string;
            id: string;
            lookupKey: string;
            /** @constant */
            object: "entitlement";
            products: components["schemas"]["Product"][];
            /** Format: date-time */
            updatedAt: string;
        };
        /** @description Body of every error response. */
        Error: {
            /** @description The name of the HTTP status. */
            error: string;
            /** @description What is wrong and what to do. Intended for people; do not compare it. */
            message: string;
            /** @description Equal to the HTTP status. */
            statusCode: number;
        };
        Experiment: {
            audience: {
                appIds: string[] | null;
                countries: string[] | null;
                minAppVersion: string | null;
                platforms: string[] | null;
            };
            /** Format: date-time */
            createdAt: string;
            description: string | null;
            enrollmentPercentage: number;
            id: string;
            name: string;
            /** @constant */
            object: "experiment";
            primaryMetric: string;
            startedAt: string | null;
            /** @enum {string} */
            status: "draft" | "running" | "paused" | "stopped";
            stoppedAt: string | null;
            /** Format: date-time */
            updatedAt: string;
            winnerVariantId: string | null;
        };
        ExperimentDetail: {
            audience: {
                appIds: string[] | null;
                countries: string[] | null;
                minAppVersion: string | null;
                platforms: string[] | null;
            };
            /** @description How the primary metric is compared; null if it is not. */
            comparison: {
                /** @description The method in words, with its assumptions. */
                definition: string;
                isLowerBetter: boolean;
                /** @enum {string} */
                method: "beta_binomial" | "welch_normal";
                /** @description Customers that each variant needs before a chance is shown. */
                minCustomers: number;
                /** @description Customers with an amount other than zero that each variant needs; null for rates. */
                minOutcomes: number | null;
                /**
                 * @description Unit of `value`, `difference` and `interval`.
                 * @enum {string}
                 */
                unit: "rate" | "usd" | "count";
            } | null;
            /** Format: date-time */
            createdAt: string;
            description: string | null;
            enrollmentPercentage: number;
            id: string;
            name: string;
            /** @constant */
            object: "experiment";
            primaryMetric: string;
            /** @description Whether chance explains the ratio of the variants’ customers (sample ratio mismatch). */
            ratioCheck: {
                /** @description Probability of numbers of customers at least this far from the weights by chance (Pearson’s chi-square test); null if a variant expects fewer than 5 customers. */
                chance: number | null;
                /** @description The chance is below the threshold: customers are missing on one side, so no result can be trusted. */
                isSuspicious: boolean;
                threshold: number;
            };
            results: components["schemas"]["VariantResults"][];
            /** @description Results by the values of `segment`, those with most customers first; empty without it. */
            segments: {
                results: {
                    customers: number;
                    primary: components["schemas"]["PrimaryMetricResult"];
                    variantId: string;
                }[];
                /** @description Null: not reported when the customer was created. */
                value: string | null;
            }[];
            startedAt: string | null;
            /** @enum {string} */
            status: "draft" | "running" | "paused" | "stopped";
            stoppedAt: string | null;
            /** Format: date-time */
            updatedAt: string;
            variants: components["schemas"]["Variant"][];
            winnerVariantId: string | null;
        };
        Grant: {
            endedAt: string | null;
            entitlementId: string;
            expiresAt: string | null;
            id: string;
            lookupKey: string;
            /** @constant */
            object: "grant";
            /** Format: date-time */
            startsAt: string;
        };
        GrantPromotionalEntitlementBody: {
            /** @enum {string} */
            duration?: "daily" | "three_day" | "weekly" | "two_week" | "monthly" | "two_month" | "three_month" | "six_month" | "yearly" | "lifetime";
            entitlementId: string;
            /** Format: date-time */
            expiresAt?: string;
            /** Format: date-time */
            startsAt?: string;
        };
        GrantResponse: {
            grant: components["schemas"]["Grant"];
            /** Format: date-time */
            requestDate: string;
            subscriber: components["schemas"]["Subscriber"];
        };
        Import: {
            /** Format: date-time */
            createdAt: string;
            files: string[];
            /** @description End of the last check or run. */
            finishedAt: string | null;
            id: string;
            /** @description False for a dry run, which records nothing. */
            isConfirmed: boolean;
            /** @constant */
            object: "import";
            options: {
                appIds: string[];
                /** @enum {string} */
                otherStores: "skip" | "grant";
                /** @enum {string} */
                sandbox: "skip" | "keep";
                /** @enum {string} */
                usd: "keep" | "ours";
            };
            /** @description Reason of the failure, with what to do. Omitted for callers who may not see money and personal fields. */
            problem?: string | null;
            /** @description `reading` counts bytes of the files, `customers` counts customers. */
            progress: {
                done: number;
                /** @enum {string} */
                stage: "reading" | "customers";
                total: number;
            } | null;
            report: {
                activeSubscriptions: number;
                aliases: number;
                customers: number;
                /** @description Confirms exactly this dry run. */
                digest: string;
                dryRun: boolean;
                /** @description By type: events that were recorded, or for a dry run would be. */
                events: {
                    [key: string]: number;
                };
                /** @description Time up to which the files know renewals. */
                exportedAt?: string | null;
                files: {
                    ignoredColumns: string[];
                    /** @enum {string} */
                    kind: "transactions" | "customers" | "tokens" | "neutral";
                    missing: {
                        column: string;
                        consequence: string;
                    }[];
                    name: string;
                    rows: number;
                }[];
                firstPurchaseAt: string | null;
                grants: number;
                /** @description Omitted for callers who may not see money. */
                gross?: {
                    /** @description In millionths of the currency. */
                    amountMicros: number;
                    currency: string;
                    month: string;
                }[];
                lastPurchaseAt: string | null;
                problems: {
                    code: string;
                    /** @description Customers may lack access that they had. These come first. */
                    costsAccess?: boolean;
                    count: number;
                    /** @description The first rows, at most 20. Omitted for callers who may not see money and personal fields. */
                    examples?: {
                        detail: string;
                        file: string;
                        row: number;
                    }[];
                    meaning: string;
                    wayOut: string;
                }[];
                purchaseLines: number;
                refunds: number;
                /** @description By store. */
                transactions: {
                    [key: string]: number;
                };
                /** @description Products that are not in the catalogue. */
                unknownProducts: {
                    store: string;
                    storeProductId: string;
                    transactions: number;
                }[];
            } | null;
            /**
             * @description `waiting` and `running` change by themselves; `checked` waits for the confirmation of its digest.
             * @enum {string}
             */
            state: "waiting" | "running" | "checked" | "done" | "failed";
        };
        Invitation: {
            /** @description Null if the user was erased. */
            email: string | null;
            /** Format: date-time */
            expiresAt: string;
            id: string;
            /** Format: date-time */
            invitedAt: string;
            /** @constant */
            object: "invitation";
            /** @enum {string} */
            role: "owner" | "admin" | "analyst" | "finance" | "support" | "viewer";
        };
        InviteMemberBody: {
            email: string;
            /** @enum {string} */
            role: "owner" | "admin" | "analyst" | "finance" | "support" | "viewer";
        };
        IosApp: {
            bundleId: string;
            /** Format: date-time */
            createdAt: string;
            id: string;
            iosStoreSmallBusiness: boolean;
            name: string;
            notificationForwardingUrl: string | null;
            /** @description Enter it in the store’s console. Its last part is a secret: the credential of the store’s notifications. Omitted for callers who may not see secrets. */
            notificationUrl?: string | null;
            /** @constant */
            object: "app";
            /** @constant */
            platform: "ios";
            projectId: string;
            /**
             * @description Answer to the store’s question about a refund; `none`: a member decides each.
             * @enum {string}
             */
            refundAnswer: "none" | "decline" | "grant_full" | "grant_prorated";
            /**
             * @description Who consents that the store gets data about a purchase: customers with the attribute `$refundConsent` = `true`, or all by the app’s terms.
             * @enum {string}
             */
            refundConsent: "each_customer" | "terms";
            /** @enum {string} */
            refundPolicy: "revoke_immediately" | "keep_until_expiry";
            /** @constant */
            store: "ios-store";
            storeAppId: number | null;
            /** Format: date-time */
            updatedAt: string;
        };
        IosCredentials: {
            /** @constant */
            configured: true;
            /** Format: date-time */
            createdAt: string;
            keyId: string | null;
            /** @constant */
            object: "appCredentials";
            /** @constant */
            store: "ios-store";
        };
        LiveDelivery: {
            /**
             * Format: date-time
             * @description When it took effect.
             */
            at: string;
            /** @description What caused it: the `eventId` of an `event` message, or a request. */
            causeId: string;
            customerId: string | null;
            deliveryId: string;
            errorCode: string | null;
            /** @description The `webhook-id`, equal for all attempts. */
            eventId: string;
            kind: string;
            /** @description Time from the arrival of the notification until it was recorded; for a delivery from its creation. */
            ms: number | null;
            /** @enum {string} */
            state: "pending" | "delivered" | "failed" | "held";
            status: number | null;
            summary: string;
            webhookId: string;
        };
        LiveEvent: {
            /**
             * Format: date-time
             * @description When it took effect.
             */
            at: string;
            customerId: string | null;
            eventId: string;
            kind: string;
            /** @description Time from the arrival of the notification until it was recorded; for a delivery from its creation. */
            ms: number | null;
            notificationId: string | null;
            /** Format: date-time */
            recordedAt: string;
            summary: string;
        };
        LiveNotification: {
            appId: string;
            /**
             * Format: date-time
             * @description When it took effect.
             */
            at: string;
            customerId: string | null;
            kind: string;
            /** @description Time from the arrival of the notification until it was recorded; for a delivery from its creation. */
            ms: number | null;
            notificationId: string;
            /** @enum {string} */
            state: "handled" | "ignored" | "refused" | "parked" | "waiting";
            /** @enum {string} */
            store: "ios-store" | "android-store";
            summary: string;
        };
        LoggedIn: {
            /** @description Send it as `Authorization: Bearer …`. */
            accessToken: string;
            /** @description Seconds until the access token expires. */
            expiresIn: number;
            /** @description Can be used once at `POST /auth/refresh`. Omitted if it is in a cookie. */
            refreshToken?: string;
            /** @constant */
            tokenType: "Bearer";
            user: components["schemas"]["User"];
        };
        LogInBody: {
            /** @description Six digits from the authenticator app, or a recovery code. */
            code?: string;
            email: string;
            password: string;
            /**
             * @description `cookie`: for a browser page, so that no script can read the refresh token.
             * @default token
             * @enum {string}
             */
            session?: "token" | "cookie";
        };
        LogOutBody: {
            refreshToken?: string;
        };
        Me: {
            /** Format: date-time */
            createdAt: string;
            email: string;
            id: string;
            name: string | null;
            /** @constant */
            object: "user";
            projects: {
                id: string;
                name: string;
                /** @enum {string} */
                role: "owner" | "admin" | "analyst" | "finance" | "support" | "viewer";
            }[];
        };
        Member: {
            /** @description Null if the user was erased. */
            email: string | null;
            /** @description Logins of this user need a code. */
            hasSecondFactor: boolean;
            /** @description ID of the user. */
            id: string;
            /** Format: date-time */
            joinedAt: string;
            /** @description Last login with a password. Null if there was none. */
            lastLoginAt: string | null;
            name: string | null;
            /** @constant */
            object: "member";
            /** @enum {string} */
            role: "owner" | "admin" | "analyst" | "finance" | "support" | "viewer";
        };
        MoneyEntry: {
            /** @description Amount charged, also in the entry of a refund. Omitted for callers who may not see money. */
            amount?: number | null;
            /** @description Omitted for callers who may not see money. */
            amountUsd?: number | null;
            appId: string;
            appUserId: string | null;
            /**
             * Format: date-time
             * @description Time of the charge or refund.
             */
            at: string;
            country: string | null;
            currency: string | null;
            customerId: string;
            /** @enum {string} */
            environment: "production" | "sandbox";
            id: string;
            /** @enum {string} */
            kind: "purchase" | "renewal" | "refund";
            /** @constant */
            object: "transaction";
            /** @description For a one-time purchase: the product type. */
            periodType: string;
            quantity: number;
            /** @description Amount refunded so far; null if unknown. Omitted for callers who may not see money. */
            refundedUsd?: number | null;
            /** @enum {string} */
            store: "ios-store" | "android-store" | "test-store";
            storeProductId: string;
            subscriptionId: string | null;
        };
        MonthClosing: {
            closing: {
                /** Format: date-time */
                closedAt: string;
                closedBy: {
                    id: string;
                    /** @enum {string} */
                    kind: "user" | "api_key" | "store" | "system" | "import";
                    /** @description Name of the API key, also of a deleted one; name of the user, else their email. Null for a store and the service itself, for an erased user, and for users if the caller may not list members. */
                    name: string | null;
                    /** @description Tool through which the request came, such as `mcp: claude-code`. */
                    via?: string;
                };
                incompleteReason: string | null;
                /** @description How many times the month has been closed. */
                number: number;
            } | null;
            /** @description Of the open month after the last closed one: what became known about closed months since. */
            corrections: {
                appId: string | null;
                currency: string;
                month: string;
                ours: {
                    /** @description Omitted for callers who may not see money. */
                    charged?: string;
                    /** @description Omitted for callers who may not see money. */
                    fee?: string;
                    /** @description Omitted for callers who may not see money. */
                    proceeds?: string;
                    /** @description Omitted for callers who may not see money. */
                    refunded?: string;
                    /** @description Omitted for callers who may not see money. */
                    tax?: string;
                };
                revenue: {
                    /** @description Omitted for callers who may not see money. */
                    billed?: string;
                    /** @description Omitted for callers who may not see money. */
                    recognised?: string;
                    /** @description Omitted for callers who may not see money. */
                    refunded?: string;
                };
                store: {
                    /** @description Omitted for callers who may not see money. */
                    charged?: string;
                    /** @description Omitted for callers who may not see money. */
                    fee?: string;
                    /** @description Omitted for callers who may not see money. */
                    proceeds?: string;
                    /** @description Omitted for callers who may not see money. */
                    refunded?: string;
                    /** @description Omitted for callers who may not see money. */
                    tax?: string;
                };
            }[];
            month: string;
            /** @constant */
            object: "month_closing";
            /** @enum {string} */
            state: "open" | "closed";
            /** @description Empty while the month is open. */
            tables: {
                appId: string | null;
                asClosed: {
                    difference: {
                        /** @description Omitted for callers who may not see money. */
                        charged?: string;
                        /** @description Omitted for callers who may not see money. */
                        fee?: string;
                        /** @description Omitted for callers who may not see money. */
                        proceeds?: string;
                        /** @description Omitted for callers who may not see money. */
                        refunded?: string;
                        /** @description Omitted for callers who may not see money. */
                        tax?: string;
                    };
                    ours: {
                        /** @description Omitted for callers who may not see money. */
                        charged?: string;
                        /** @description Omitted for callers who may not see money. */
                        fee?: string;
                        /** @description Omitted for callers who may not see money. */
                        proceeds?: string;
                        /** @description Omitted for callers who may not see money. */
                        refunded?: string;
                        /** @description Omitted for callers who may not see money. */
                        tax?: string;
                    };
                    store: {
                        /** @description Omitted for callers who may not see money. */
                        charged?: string;
                        /** @description Omitted for callers who may not see money. */
                        fee?: string;
                        /** @description Omitted for callers who may not see money. */
                        proceeds?: string;
                        /** @description Omitted for callers who may not see money. */
                        refunded?: string;
                        /** @description Omitted for callers who may not see money. */
                        tax?: string;
                    };
                };
                /** @description `asClosed` plus `corrections`. */
                asKnownNow: {
                    difference: {
                        /** @description Omitted for callers who may not see money. */
                        charged?: string;
                        /** @description Omitted for callers who may not see money. */
                        fee?: string;
                        /** @description Omitted for callers who may not see money. */
                        proceeds?: string;
                        /** @description Omitted for callers who may not see money. */
                        refunded?: string;
                        /** @description Omitted for callers who may not see money. */
                        tax?: string;
                    };
                    ours: {
                        /** @description Omitted for callers who may not see money. */
                        charged?: string;
                        /** @description Omitted for callers who may not see money. */
                        fee?: string;
                        /** @description Omitted for callers who may not see money. */
                        proceeds?: string;
                        /** @description Omitted for callers who may not see money. */
                        refunded?: string;
                        /** @description Omitted for callers who may not see money. */
                        tax?: string;
                    };
                    store: {
                        /** @description Omitted for callers who may not see money. */
                        charged?: string;
                        /** @description Omitted for callers who may not see money. */
                        fee?: string;
                        /** @description Omitted for callers who may not see money. */
                        proceeds?: string;
                        /** @description Omitted for callers who may not see money. */
                        refunded?: string;
                        /** @description Omitted for callers who may not see money. */
                        tax?: string;
                    };
                };
                corrections: {
                    difference: {
                        /** @description Omitted for callers who may not see money. */
                        charged?: string;
                        /** @description Omitted for callers who may not see money. */
                        fee?: string;
                        /** @description Omitted for callers who may not see money. */
                        proceeds?: string;
                        /** @description Omitted for callers who may not see money. */
                        refunded?: string;
                        /** @description Omitted for callers who may not see money. */
                        tax?: string;
                    };
                    ours: {
                        /** @description Omitted for callers who may not see money. */
                        charged?: string;
                        /** @description Omitted for callers who may not see money. */
                        fee?: string;
                        /** @description Omitted for callers who may not see money. */
                        proceeds?: string;
                        /** @description Omitted for callers who may not see money. */
                        refunded?: string;
                        /** @description Omitted for callers who may not see money. */
                        tax?: string;
                    };
                    store: {
                        /** @description Omitted for callers who may not see money. */
                        charged?: string;
                        /** @description Omitted for callers who may not see money. */
                        fee?: string;
                        /** @description Omitted for callers who may not see money. */
                        proceeds?: string;
                        /** @description Omitted for callers who may not see money. */
                        refunded?: string;
                        /** @description Omitted for callers who may not see money. */
                        tax?: string;
                    };
                };
                currency: string;
            }[];
        };
        MovePurchaseToThisCustomerBody: {
            reason: string;
            transactionId: string;
        };
        NewApiKey: {
            appId: string | null;
            /** Format: date-time */
            createdAt: string;
            expiresAt: string | null;
            id: string;
            /** @description The full key. Shown only in this response. */
            key: string;
            keyPreview: string;
            /** @enum {string} */
            kind: "secret" | "public";
            /** @description Accurate to the minute. */
            lastUsedAt: string | null;
            name: string;
            /** @constant */
            object: "apiKey";
            /** @description `write`: writes of SDKs and servers; `support`: grants, transfers, retries; `config`: configuration; `pii`: access to personal fields. Each implies `read`. A public key has none. */
            scopes: ("read" | "write" | "support" | "config" | "finance" | "pii")[];
        };
        NewInvitation: {
            /** @description Null if the user was erased. */
            email: string | null;
            /** Format: date-time */
            expiresAt: string;
            id: string;
            /** Format: date-time */
            invitedAt: string;
            /** @description Invitation link of the dashboard, if it is served. The token is in the fragment. */
            inviteUrl: string;
            /** @constant */
            object: "invitation";
            /** @enum {string} */
            role: "owner" | "admin" | "analyst" | "finance" | "support" | "viewer";
            /** @description One-time invitation token. Shown only in this response. */
            token: string;
        };
        Notification: {
            appId: string;
            /** @description Null if it concerns no customer, and until it is processed. */
            customerId: string | null;
            finishedAt: string | null;
            id: string;
            /** @constant */
            object: "notification";
            outcome: ("applied" | "no_change" | "stale" | "ignored_unknown_type" | "refused") | null;
            reason: string | null;
            /** Format: date-time */
            receivedAt: string;
            /** Format: date-time */
            signedAt: string;
            /**
             * @description `parked`: stopped by an internal error; `waiting`: not processed yet, or the store cannot be reached.
             * @enum {string}
             */
            state: "handled" | "ignored" | "refused" | "parked" | "waiting";
            /** @enum {string} */
            store: "ios-store" | "android-store";
            /** @description Type of the store, with its subtype after a slash. */
            type: string;
        };
        NotificationCheck: {
            /** @description Base address of the notification addresses. */
            address: string;
            /** @constant */
            object: "notificationCheck";
            /** @description What was found, and what to do. */
            sentence: string;
            /** @enum {string} */
            verdict: "loopback" | "private" | "unencrypted" | "unreachable" | "other_service" | "reachable";
        };
        NotificationDetail: {
            appId: string;
            /** @description If it added no events because the purchase was already known: the existing events that it confirms. */
            confirms: components["schemas"]["TimelineEntry"][];
            contentType: string | null;
            /** @description Null if it concerns no customer, and until it is processed. */
            customerId: string | null;
            /** @description Reason for parking. Omitted for callers who may not see money and personal fields. */
            error?: string | null;
            /** @description Resulting events; none if everything was known before. */
            eventIds: string[];
            /** @description Those on the customer’s timeline, oldest first. */
            events: components["schemas"]["TimelineEntry"][];
            finishedAt: string | null;
            id: string;
            /** @description Time of the next request to the store, while it waits for that. */
            nextAttemptAt: string | null;
            /** @constant */
            object: "notification";
            outcome: ("applied" | "no_change" | "stale" | "ignored_unknown_type" | "refused") | null;
            /** @description Raw body, byte for byte. Omitted for callers who may not see money and personal fields. */
            rawBody?: string;
            reason: string | null;
            /** Format: date-time */
            receivedAt: string;
            /** @description Whether the store’s OCSP responder confirmed its certificates on arrival. False if the responder did not answer or is not used (`IOS_STORE_ONLINE_CHECKS`); null for stores that send no certificates. */
            revocationChecked: boolean | null;
            /** Format: date-time */
            signedAt: string;
            /**
             * @description `parked`: stopped by an internal error; `waiting`: not processed yet, or the store cannot be reached.
             * @enum {string}
             */
            state: "handled" | "ignored" | "refused" | "parked" | "waiting";
            /** @enum {string} */
            store: "ios-store" | "android-store";
            /** @description Type of the store, with its subtype after a slash. */
            type: string;
            waitsForCredentials: boolean;
            /** @description Decoded content, including signed parts. Omitted for callers who may not see money and personal fields. */
            words?: {
                [key: string]: unknown;
            };
        };
        Offering: {
            archived: boolean;
            /** Format: date-time */
            createdAt: string;
            displayName: string;
            id: string;
            isCurrent: boolean;
            lookupKey: string;
            metadata: {
                [key: string]: unknown;
            };
            /** @constant */
            object: "offering";
            /** @description Only with `?expand=packages`. */
            packages?: components["schemas"]["Package"][];
            /** Format: date-time */
            updatedAt: string;
        };
        OfferingPreview: {
            /** Format: date-time */
            at: string;
            customerId: string;
            /** @description `isEnrolled` false: the next request of the app enrols the customer. */
            experiment: {
                id: string;
                isEnrolled: boolean;
                variantId: string;
            } | null;
            /** @description Omitted for callers who may not see personal fields. */
            facts?: {
                appVersion: string | null;
                country: string | null;
                /** Format: date-time */
                firstSeenAt: string;
                isSubscriber: boolean;
                platform: string | null;
            };
            /** @constant */
            object: "offeringPreview";
            /** @description In place of the current offering, and at each placement without its own. */
            offering: {
                id: string;
                lookupKey: string;
            } | null;
            placements: {
                lookupKey: string;
                offering: {
                    id: string;
                    lookupKey: string;
                } | null;
                placementId: string;
            }[];
            /** @description Omitted for callers who may not see personal fields. */
            rules?: {
                conditions: ({
                    actual: string | null;
                    isMet: boolean;
                    /** @constant */
                    kind: "country";
                    /** @enum {string} */
                    operator: "in" | "not_in";
                    values: string[];
                } | {
                    actual: string | null;
                    isMet: boolean;
                    /** @constant */
                    kind: "platform";
                    /** @enum {string} */
                    operator: "in" | "not_in";
                    values: string[];
                } | {
                    actual: string | null;
                    isMet: boolean;
                    /** @constant */
                    kind: "app_version";
                    /** @enum {string} */
                    operator: "at_least" | "below";
                    value: string;
                } | {
                    actual: string | null;
                    isMet: boolean;
                    /** @constant */
                    kind: "attribute";
                    name: string;
                    /** @enum {string} */
                    operator: "in" | "not_in";
                    values: string[];
                } | {
                    actual: string | null;
                    isMet: boolean;
                    /** @constant */
                    kind: "attribute_set";
                    name: string;
                    value: boolean;
                } | {
                    actual: string | null;
                    /** Format: date-time */
                    at: string;
                    isMet: boolean;
                    /** @constant */
                    kind: "first_seen";
                    /** @enum {string} */
                    operator: "before" | "from";
                } | {
                    actual: string | null;
                    isMet: boolean;
                    /** @constant */
                    kind: "subscriber";
                    value: boolean;
                })[];
                id: string;
                name: string;
                /** @enum {string} */
                result: "chosen" | "not_met" | "inactive" | "not_reached";
                revision: number;
            }[];
            sentence: string;
            targeting: {
                revision: number;
                ruleId: string;
            } | null;
        };
        Overview: {
            metrics: {
                description: string;
                id: string;
                /** Format: date-time */
                lastUpdatedAt: string;
                name: string;
                /** @constant */
                object: "overviewMetric";
                /** @enum {string} */
                period: "P0D" | "P28D";
                previousValue: number | null;
                /** @enum {string} */
                unit: "count" | "usd";
                value: number | null;
            }[];
            /** @constant */
            object: "overviewMetrics";
            /**
             * Format: date-time
             * @description The charts have halted: events recorded since then are not included. Omitted for current figures.
             */
            staleSince?: string;
        };
        OwnApiKey: {
            appId: string | null;
            id: string;
            /** @enum {string} */
            kind: "secret" | "public";
            /** @constant */
            object: "ownApiKey";
            projectId: string;
            /** @description `write`: writes of SDKs and servers; `support`: grants, transfers, retries; `config`: configuration; `pii`: access to personal fields. Each implies `read`. A public key has none. */
            scopes: ("read" | "write" | "support" | "config" | "finance" | "pii")[];
        };
        Package: {
            /** Format: date-time */
            createdAt: string;
            displayName: string;
            id: string;
            lookupKey: string;
            /** @constant */
            object: "package";
            offeringId: string;
            /** @enum {string} */
            packageType: "weekly" | "monthly" | "two_month" | "three_month" | "six_month" | "annual" | "lifetime" | "custom";
            position: number;
            products: {
                appId: string;
                id: string;
                storeProductId: string;
            }[];
            /** Format: date-time */
            updatedAt: string;
        };
        Paywall: {
            config: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            createdAt: string;
            defaultLocale: string;
            id: string;
            localizations: {
                [key: string]: unknown;
            };
            name: string;
            /** @constant */
            object: "paywall";
            offeringId: string;
            publishedAt: string | null;
            revision: number;
            /** @enum {string} */
            status: "draft" | "published";
            /** Format: date-time */
            updatedAt: string;
        };
        Placement: {
            /** Format: date-time */
            createdAt: string;
            displayName: string;
            id: string;
            lookupKey: string;
            /** @constant */
            object: "placement";
            /** Format: date-time */
            updatedAt: string;
        };
        PreparedSecondFactor: {
            /** @constant */
            object: "preparedSecondFactor";
            /** @description The same as an address, for a link or a QR code. */
            otpauthUrl: string;
            /** @description For typing it into an authenticator app. Shown only in this response. */
            secret: string;
        };
        PrepareSecondFactorBody: {
            password: string;
        };
        /** @description With `previous`: the figures of the compared period, with the same filters and segments. */
        PreviousChartData: {
            buckets?: {
                /**
                 * @description The period contains only part of this calendar interval. Omitted for complete intervals.
                 * @constant
                 */
                clipped?: true;
                /** Format: date-time */
                end: string;
                incomplete: boolean;
                /** Format: date-time */
                start: string;
                values: {
                    [key: string]: number | null;
                };
            }[];
            choice: string;
            /** Format: date */
            endDate: string;
            /**
             * @description The period ends before the project has any data: all its figures are empty.
             * @constant
             */
            isBeforeData?: true;
            /** @description For each bucket of the chart, the index of its counterpart in the buckets of this period. Null if it has none, such as the 31st in a month of 30 days. */
            pairs: (number | null)[];
            segments?: {
                [key: string]: {
                    buckets?: {
                        /**
                         * @description The period contains only part of this calendar interval. Omitted for complete intervals.
                         * @constant
                         */
                        clipped?: true;
                        /** Format: date-time */
                        end: string;
                        incomplete: boolean;
                        /** Format: date-time */
                        start: string;
                        values: {
                            [key: string]: number | null;
                        };
                    }[];
                    name: string | null;
                    rows?: {
                        /**
                         * @description The period contains only part of this calendar interval. Omitted for complete intervals.
                         * @constant
                         */
                        clipped?: true;
                        columns: {
                            [key: string]: number | boolean | null;
                        }[];
                        /** Format: date-time */
                        end: string;
                        incomplete: boolean;
                        size: number;
                        /** Format: date-time */
                        start: string;
                    }[];
                    summary: {
                        [key: string]: {
                            average: number | null;
                            last: number | null;
                            total?: number;
                        };
                    };
                };
            };
            /** Format: date */
            startDate: string;
            summary: {
                [key: string]: {
                    average: number | null;
                    last: number | null;
                    total?: number;
                };
            };
            total?: {
                buckets?: {
                    /**
                     * @description The period contains only part of this calendar interval. Omitted for complete intervals.
                     * @constant
                     */
                    clipped?: true;
                    /** Format: date-time */
                    end: string;
                    incomplete: boolean;
                    /** Format: date-time */
                    start: string;
                    values: {
                        [key: string]: number | null;
                    };
                }[];
                rows?: {
                    /**
                     * @description The period contains only part of this calendar interval. Omitted for complete intervals.
                     * @constant
                     */
                    clipped?: true;
                    columns: {
                        [key: string]: number | boolean | null;
                    }[];
                    /** Format: date-time */
                    end: string;
                    incomplete: boolean;
                    size: number;
                    /** Format: date-time */
                    start: string;
                }[];
                summary: {
                    [key: string]: {
                        average: number | null;
                        last: number | null;
                        total?: number;
                    };
                };
            };
        };
        Price: {
            amount: number;
            amountMicros: number;
            country: string | null;
            currency: string;
            id: string;
            /** @constant */
            object: "price";
            productId: string;
            startsAt: string | null;
        };
        /** @description Null for the metric `customers`, which weights decide. */
        PrimaryMetricResult: {
            /** @description Probability from 0 to 1 of a better value than the control’s; null for it, and with too few customers. */
            chanceToWin: number | null;
            /** @description Value minus that of the control. Omitted for callers who may not see money. */
            difference?: number | null;
            /** @description 95 % interval of the difference; null for the control, and with too few customers. Omitted for callers who may not see money. */
            interval?: {
                high: number;
                low: number;
            } | null;
            /** @description Customers, and customers with an amount other than zero, that the smaller of the variant and the control lacks for a chance; null if both have enough. */
            missing: {
                customers: number;
                outcomes: number;
            } | null;
            /** @description A rate from 0 to 1, or a mean per customer. Omitted for callers who may not see money. */
            value?: number | null;
        } | null;
        Product: {
            appId: string;
            /** Format: date-time */
            createdAt: string;
            displayName: string;
            duration: string | null;
            entitlementIds: string[];
            gracePeriodDuration: string | null;
            id: string;
            /** @constant */
            object: "product";
            prices: components["schemas"]["Price"][];
            /** @enum {string} */
            store: "ios-store" | "android-store" | "test-store";
            storeProductId: string;
            trialDuration: string | null;
            /** @enum {string} */
            type: "subscription" | "consumable" | "non_consumable" | "non_renewing_subscription";
            /** Format: date-time */
            updatedAt: string;
        };
        Project: {
            /** Format: date-time */
            createdAt: string;
            /** @description For demo projects: whether the history of the simulated customers is still being generated. */
            demo: ("playing" | "ready") | null;
            /** @description Generated share of the history; only while `demo` is `playing`. */
            demoProgress?: number;
            displayCurrency: string;
            id: string;
            name: string;
            /** @constant */
            object: "project";
            /** @enum {string} */
            role: "owner" | "admin" | "analyst" | "finance" | "support" | "viewer";
            /** @enum {string} */
            sandboxAccess: "anybody" | "nobody";
            /** @enum {string} */
            transferBehavior: "transfer" | "transfer_if_no_active" | "keep";
            /** Format: date-time */
            updatedAt: string;
        };
        Purchase: {
            accessEndsAt: string | null;
            /** @description Omitted for callers who may not see money. */
            amount?: number | null;
            /** @description Omitted for callers who may not see money. */
            amountUsd?: number | null;
            currency: string | null;
            /** @enum {string} */
            environment: "production" | "sandbox";
            expiresAt: string | null;
            id: string;
            /** @constant */
            object: "purchase";
            /** @description Product type. */
            periodType: string;
            /** Format: date-time */
            purchasedAt: string;
            quantity: number;
            refundedAt: string | null;
            /** @enum {string} */
            store: "ios-store" | "android-store" | "test-store";
            storeProductId: string;
        };
        ReceiptResponse: {
            /** @description For a receipt that is stored until it can be processed. */
            pending?: {
                message: string;
                /** @enum {string} */
                reason: "credentials_missing" | "credentials_refused" | "payment_pending";
            };
            /** Format: date-time */
            requestDate: string;
            subscriber: components["schemas"]["Subscriber"];
        };
        ReceiveIosStoreNotificationBody: {
            signedPayload: string;
        } & {
            [key: string]: unknown;
        };
        ReceiverForAndroidStoreServerToServerNotificationsBody: {
            message: {
                data: string;
                message_id?: string;
                messageId?: string;
            };
        } & {
            [key: string]: unknown;
        };
        RecordCustomEventBody: {
            events: {
                appUserId: string;
                /** Format: uuid */
                eventId?: string;
                name: string;
                /** Format: date-time */
                occurredAt?: string;
                /**
                 * @description Any object of at most 8 KiB, 10 levels deep.
                 * @default {}
                 */
                properties?: Record<string, never>;
            }[];
        } | {
            appUserId: string;
            /** Format: uuid */
            eventId?: string;
            name: string;
            /** Format: date-time */
            occurredAt?: string;
            /**
             * @description Any object of at most 8 KiB, 10 levels deep.
             * @default {}
             */
            properties?: Record<string, never>;
        };
        RecordedEvents: {
            accepted: number;
            /** @description Number of events whose `eventId` was recorded before. */
            duplicates: number;
        };
        RecoveryCodes: {
            /** @description Each works once instead of a code. Shown only in this response. */
            codes: string[];
            /** @constant */
            object: "recoveryCodes";
        };
        RedeliverWebhookBody: Record<string, never>;
        Refresh: {
            changed: components["schemas"]["TimelineEntry"][];
            failed: {
                reason: string;
                subscriptionId: string;
            }[];
            /** @constant */
            object: "refresh";
            /** @description Number of purchase lines requested from a store. */
            requestedLines: number;
        };
        RefreshTokensBody: {
            refreshToken?: string;
        };
        RefundRequest: {
            /** @description What was sent to the store. */
            answer: {
                /** Format: date-time */
                at: string;
                /** @enum {string} */
                decidedBy: "policy" | "person";
                /** @enum {string} */
                preference: "decline" | "grant_full" | "grant_prorated";
            } | null;
            appId: string;
            appUserId: string | null;
            customerId: string;
            /** @enum {string} */
            environment: "production" | "sandbox";
            id: string;
            /** @description The store takes an answer only with the customer’s consent, and none is recorded. */
            needsConsent: boolean;
            /** @constant */
            object: "refundRequest";
            /** @description The answers that the store takes. */
            preferences: ("decline" | "grant_full" | "grant_prorated")[];
            /** @description Reason of the customer, as the store states it. */
            reason: string | null;
            /**
             * @description Setting of the app; `none`: a member decides each.
             * @enum {string}
             */
            refundAnswer: "none" | "decline" | "grant_full" | "grant_prorated";
            /** @description Why the store did not take the last answer. */
            refusal: string | null;
            /** Format: date-time */
            requestedAt: string;
            /**
             * Format: date-time
             * @description Time until which the store waits for consumption information.
             */
            respondBy: string;
            /**
             * @description `lapsed`: nobody answered until `respondBy`.
             * @enum {string}
             */
            state: "open" | "lapsed" | "answered" | "refunded" | "declined";
            /** @enum {string} */
            store: "ios-store" | "android-store";
            storeProductId: string;
            transactionId: string;
        };
        RegisterAndroidStoreCredentialsBody: {
            /** @default null */
            pushAudience?: string | null;
            /** @default null */
            pushServiceAccountEmail?: string | null;
            serviceAccountJson: string | {
                [key: string]: unknown;
            };
        };
        RegisterAppBody: {
            name: string;
            /** @constant */
            platform: "test";
        } | {
            bundleId: string;
            /** @default false */
            iosStoreSmallBusiness?: boolean;
            name: string;
            /** @default null */
            notificationForwardingUrl?: string | null;
            /** @constant */
            platform: "ios";
            /**
             * @default none
             * @enum {string}
             */
            refundAnswer?: "none" | "decline" | "grant_full" | "grant_prorated";
            /**
             * @default each_customer
             * @enum {string}
             */
            refundConsent?: "each_customer" | "terms";
            /**
             * @default revoke_immediately
             * @enum {string}
             */
            refundPolicy?: "revoke_immediately" | "keep_until_expiry";
            storeAppId?: number;
        } | {
            name: string;
            /** @default null */
            notificationForwardingUrl?: string | null;
            packageName: string;
            /** @constant */
            platform: "android";
            /**
             * @default none
             * @enum {string}
             */
            refundAnswer?: "none" | "decline" | "grant_full" | "grant_prorated";
            /**
             * @default each_customer
             * @enum {string}
             */
            refundConsent?: "each_customer" | "terms";
            /**
             * @default revoke_immediately
             * @enum {string}
             */
            refundPolicy?: "revoke_immediately" | "keep_until_expiry";
        };
        RegisterIosStoreCredentialsBody: {
            /**
             * @default both
             * @enum {string}
             */
            environment?: "production" | "sandbox" | "both";
            issuerId: string;
            keyId: string;
            privateKey: string;
            /** @default null */
            storeAppId?: number | null;
        };
        RegisterUserBody: {
            email: string;
            invitationToken?: string;
            name?: string | null;
            password: string;
            /**
             * @description `cookie`: for a browser page, so that no script can read the refresh token.
             * @default token
             * @enum {string}
             */
            session?: "token" | "cookie";
        };
        RemoveSecondFactorBody: {
            /** @description Six digits from the authenticator app, or a recovery code. */
            code?: string;
            password: string;
        };
        RenameOrShareChartViewBody: {
            isOnOverview?: boolean;
            isShared?: boolean;
            name?: string;
        };
        ReopenClosedMonthBody: {
            reason: string;
        };
        ReplaceRecoveryCodesBody: {
            /** @description Six digits from the authenticator app, or a recovery code. */
            code?: string;
            password: string;
        };
        Replay: {
            /** Format: date-time */
            madeAt: string;
            name: string;
            /** @constant */
            object: "replay";
            /** @description From 0 to 1. */
            progress: number;
            /**
             * @description `building` while its chart data is being prepared after a request, else `ready`.
             * @enum {string}
             */
            state: "building" | "ready";
            /** @description Includes events recorded by then; null for all events. */
            until: string | null;
            whatIf: {
                [key: string]: string | number;
            };
        };
        ReplayDeliveriesOfPeriodBody: {
            /** Format: date-time */
            from: string;
            /** @default false */
            onlyFailed?: boolean;
            /** Format: date-time */
            to: string;
            /** @default null */
            types?: ("TEST" | "TRANSFER" | "SUBSCRIBER_ALIAS" | "INITIAL_PURCHASE" | "RENEWAL" | "NON_RENEWING_PURCHASE" | "TEMPORARY_ENTITLEMENT_GRANT" | "PRODUCT_CHANGE" | "BILLING_ISSUE" | "CANCELLATION" | "UNCANCELLATION" | "SUBSCRIPTION_PAUSED" | "SUBSCRIPTION_EXTENDED" | "EXPIRATION" | "REFUND" | "REFUND_REVERSED" | "PRICE_CORRECTED" | "PRICE_INCREASE_CONSENT_REQUIRED" | "PRICE_INCREASE_CONSENT_APPROVED" | "EXPERIMENT_ENROLLMENT" | "ENTITLEMENT_CHANGED" | "BOOKS_MONTH_COMPLETE" | "BOOKS_LINE_MISSING_HERE" | "FIGURE_OUT_OF_BAND" | "INVOICE_ISSUANCE" | "VIRTUAL_CURRENCY_TRANSACTION" | "PURCHASE_REDEEMED" | "PAYWALL_IMPRESSION" | "PAYWALL_CLOSE" | "PAYWALL_CANCEL" | "PAYWALL_EXIT_OFFER" | "PAYWALL_COMPONENT_INTERACTED")[] | null;
        };
        RetryStoreNotificationBody: Record<string, never>;
        SaveChartViewBody: {
            /** @default false */
            isOnOverview?: boolean;
            /** @default false */
            isShared?: boolean;
            name: string;
            /** @default  */
            pageQuery?: string;
            query: {
                /** Format: date-time */
                asOf?: string;
                chartId: string;
                /**
                 * @default new_customers
                 * @enum {string}
                 */
                cohort?: "new_customers" | "initial_conversions" | "new_paying_customers";
                /**
                 * @default revenue
                 * @enum {string}
                 */
                cohortMeasure?: "revenue" | "realized_ltv" | "realized_ltv_per_customer" | "retained_subscriptions";
                conversionTimeframe?: string;
                /** @default USD */
                currency?: string;
                customerLifetime?: string;
                /** Format: date */
                endDate?: string;
                /**
                 * @default production
                 * @enum {string}
                 */
                environment?: "production" | "sandbox";
                filter?: string | string[];
                /** @enum {string} */
                interval?: "day" | "week" | "month" | "quarter" | "year";
                measure?: string;
                period?: string;
                previous?: string;
                /** @default P1M */
                productDuration?: string;
                replay?: string;
                /** @enum {string} */
                resolution?: "day" | "week" | "month" | "quarter" | "year";
                /**
                 * @default revenue
                 * @enum {string}
                 */
                revenueType?: "revenue" | "revenue_net_of_taxes" | "proceeds";
                /** @enum {string} */
                segment?: "store" | "appId" | "productId" | "productDuration" | "offeringId" | "offerType" | "startReason" | "country" | "platform";
                /** @default 10 */
                segmentLimit?: number;
                /** Format: date */
                startDate?: string;
                /**
                 * @default actives
                 * @enum {string}
                 */
                statusMeasure?: "actives" | "active_trials" | "mrr" | "arr";
            };
        };
        SaveSegmentOfCustomersBody: {
            name: string;
            query: {
                attribute?: string | string[];
                country?: string;
                /** Format: date-time */
                createdAfter?: string;
                /** Format: date-time */
                createdBefore?: string;
                entitlement?: string;
                /** @enum {string} */
                environment?: "production" | "sandbox";
                /** Format: date-time */
                lastSeenAfter?: string;
                /** Format: date-time */
                lastSeenBefore?: string;
                maxSpentUsd?: string;
                minSpentUsd?: string;
                /** @enum {string} */
                order?: "desc" | "asc";
                productId?: string;
                /** @enum {string} */
                sort?: "firstSeenAt" | "lastSeenAt" | "totalSpentUsd";
                /** @enum {string} */
                status?: "active" | "trial" | "grace_period" | "billing_retry" | "expired" | "transferred" | "never";
                /** @enum {string} */
                store?: "ios-store" | "android-store" | "test-store";
            };
        };
        ScheduleTransaction: {
            appId: string;
            /** @description Omitted for callers who may not see money. */
            billed?: string;
            currency: string;
            customerId: string;
            /** @constant */
            object: "schedule_transaction";
            /** Format: date-time */
            purchasedAt: string;
            /** @description In the month of the cell. Omitted for callers who may not see money. */
            recognised?: string;
            storeProductId: string;
            transactionId: string;
        };
        SdkOffering: {
            displayName: string;
            id: string;
            lookupKey: string;
            metadata: {
                [key: string]: unknown;
            };
            packages: components["schemas"]["SdkPackage"][];
        };
        SdkPackage: {
            displayName: string;
            id: string;
            lookupKey: string;
            /** @enum {string} */
            packageType: "weekly" | "monthly" | "two_month" | "three_month" | "six_month" | "annual" | "lifetime" | "custom";
            products: components["schemas"]["SdkProduct"][];
        };
        SdkProduct: {
            appId: string;
            duration: string | null;
            id: string;
            /** @enum {string} */
            store: "ios-store" | "android-store" | "test-store";
            storeProductId: string;
            /** @enum {string} */
            type: "subscription" | "consumable" | "non_consumable" | "non_renewing_subscription";
        };
        SecondFactor: {
            enabled: boolean;
            enabledAt: string | null;
            /** @constant */
            object: "secondFactor";
            recoveryCodesLeft: number;
        };
        SendTestEventBody: {
            /**
             * @default TEST
             * @enum {string}
             */
            type?: "TEST" | "TRANSFER" | "SUBSCRIBER_ALIAS" | "INITIAL_PURCHASE" | "RENEWAL" | "NON_RENEWING_PURCHASE" | "TEMPORARY_ENTITLEMENT_GRANT" | "PRODUCT_CHANGE" | "BILLING_ISSUE" | "CANCELLATION" | "UNCANCELLATION" | "SUBSCRIPTION_PAUSED" | "SUBSCRIPTION_EXTENDED" | "EXPIRATION" | "REFUND" | "REFUND_REVERSED" | "PRICE_CORRECTED" | "PRICE_INCREASE_CONSENT_REQUIRED" | "PRICE_INCREASE_CONSENT_APPROVED" | "EXPERIMENT_ENROLLMENT" | "ENTITLEMENT_CHANGED" | "BOOKS_MONTH_COMPLETE" | "BOOKS_LINE_MISSING_HERE" | "FIGURE_OUT_OF_BAND";
        };
        Session: {
            /** Format: date-time */
            expiresAt: string;
            id: string;
            /** @description The session of this request. */
            isCurrent: boolean;
            /**
             * Format: date-time
             * @description Time of the last login or refresh.
             */
            lastUsedAt: string;
            /** @constant */
            object: "session";
            /** Format: date-time */
            openedAt: string;
        };
        SetAccountsOfJournalBody: {
            accounts: {
                [key: string]: {
                    code: string;
                    name: string;
                };
            };
        };
        SetCustomAttributesBody: {
            attributes: {
                [key: string]: (string | null) | {
                    updatedAtMs: number;
                    value: string | null;
                };
            };
        };
        SetHowRevenueIsCountedBody: {
            /** @enum {string} */
            basis: "gross" | "net";
            /** @default 0 */
            lifetimeMonths?: number;
            /** @default UTC */
            timeZone?: string;
        };
        Settlement: {
            /** @enum {string} */
            cause: "matched" | "timing" | "awaiting_report" | "partial_refund" | "price" | "tax" | "commission" | "free" | "missing_here" | "missing_there" | "not_collected" | "double" | "other_app" | "unexplained";
            /** @description More than 1 for the ios-store: the amounts are of a group of equal charges. */
            count: number;
            currency: string;
            /** @description `yyyy-mm`. */
            month: string;
            ours: {
                /** @description Omitted for callers who may not see money. */
                charged?: string;
                /** @description Omitted for callers who may not see money. */
                fee?: string;
                /** @description Omitted for callers who may not see money. */
                proceeds?: string;
                /** @description Omitted for callers who may not see money. */
                refunded?: string;
                /** @description Omitted for callers who may not see money. */
                tax?: string;
            } | null;
            rows: {
                reportId: string;
                /** @description Line of the file, from 1. */
                row: number;
            }[];
            /**
             * @description `settled`: the report agrees. `differs`: it has the charge with a difference. `estimated`: no report of what is settled has it yet.
             * @enum {string}
             */
            status: "estimated" | "settled" | "differs";
            store: {
                /** @description Omitted for callers who may not see money. */
                charged?: string;
                /** @description Omitted for callers who may not see money. */
                fee?: string;
                /** @description Omitted for callers who may not see money. */
                proceeds?: string;
                /** @description Omitted for callers who may not see money. */
                refunded?: string;
                /** @description Omitted for callers who may not see money. */
                tax?: string;
            } | null;
        };
        SetupEvidence: {
            addresses: {
                /** @description Address of the REST API and of notifications. */
                api: string;
                /** @description Address of the compatibility API; null if it is off. */
                sdk: string | null;
            };
            apps: {
                appId: string;
                credentials: {
                    configured: boolean;
                    /** @description From the store’s response to a real request; null if there was none yet. */
                    proven: boolean | null;
                    provenAt: string | null;
                    /** @description Last error message of the store. */
                    storeError: string | null;
                };
                lastNotification: {
                    /** Format: date-time */
                    at: string;
                    id: string;
                    outcome: string | null;
                    reason: string | null;
                    /** @enum {string} */
                    state: "handled" | "ignored" | "refused" | "parked" | "waiting";
                    type: string;
                } | null;
                name: string;
                /** @description Notifications that were not accepted, since the process that answers has started. */
                refusedNotifications: {
                    /** @description In the last 24 hours. */
                    count: number;
                    last: {
                        /** Format: date-time */
                        at: string;
                        reason: string;
                    } | null;
                };
                /** @enum {string} */
                store: "ios-store" | "android-store";
            }[];
            /** @description Chart ledgers (filters, segments, asOf) that are not ready yet. */
            chartsInPreparation: {
                /** @description Null for US dollars. */
                currency: string | null;
                /** @enum {string} */
                environment: "production" | "sandbox";
                /** @description From 0 to 1. */
                progress: number;
            }[];
            failingWebhooks: {
                /** @description Null if there was no response. */
                lastStatus: number | null;
                name: string | null;
                /**
                 * Format: date-time
                 * @description Only failures since then.
                 */
                since: string;
                webhookId: string;
            }[];
            offeringsWithoutProduct: {
                appId: string;
                lookupKey: string;
                offeringId: string;
            }[];
            productsWithoutEntitlement: {
                appId: string;
                productId: string;
                storeProductId: string;
            }[];
            /** @description Products of test apps that no SDK can show: the test store has no other price. */
            productsWithoutPrice: {
                appId: string;
                productId: string;
                storeProductId: string;
            }[];
            /** @description Calls of the compatibility API; each process writes its own at most once a minute. */
            sdkCalls: {
                firstReceiptAt: string | null;
                lastRefusedReceipt: {
                    /** Format: date-time */
                    at: string;
                    reason: string;
                    status: number;
                } | null;
                versions: {
                    appVersion: string | null;
                    flavor: string | null;
                    /** Format: date-time */
                    lastCallAt: string;
                    platform: string | null;
                    sdkVersion: string | null;
                }[];
            };
        };
        SetupStatus: {
            complete: boolean;
            completedSteps: number;
            evidence: components["schemas"]["SetupEvidence"];
            /** @constant */
            object: "setupStatus";
            steps: {
                done: boolean;
                doneAt: string | null;
                id: string;
                required: boolean;
                title: string;
            }[];
            totalSteps: number;
        };
        SimulateCustomersLifeBody: {
            /** @description Required if several apps have the product. */
            appId?: string;
            /**
             * @default [
             *       "revenue",
             *       "mrr",
             *       "actives",
             *       "trials"
             *     ]
             */
            charts?: ("actives" | "actives_movement" | "actives_new" | "mrr" | "arr" | "mrr_movement" | "churn" | "subscription_status" | "revenue" | "refund_rate" | "trials" | "trials_movement" | "trials_new" | "trial_conversion_rate" | "customers_new" | "customers_active" | "conversion_to_paying" | "ltv_per_customer" | "ltv_per_paying_customer")[];
            country?: string;
            /** @description Price of the product during the whole life; default: those of the catalogue. */
            price?: {
                amount: number;
                currency: string;
            };
            /** @description ID or store product ID. */
            product: string;
            /**
             * @description Default: that of the app.
             * @enum {string}
             */
            refundPolicy?: "revoke_immediately" | "keep_until_expiry";
            /** @description In the order of their times. */
            steps: ({
                /** Format: date-time */
                at: string;
                /** @enum {string} */
                what: "renew" | "cancel" | "uncancel" | "recover" | "refund" | "reverse_refund" | "resume" | "expire" | "transfer";
            } | {
                /** Format: date-time */
                at: string;
                /** @description ID or store product ID. */
                product?: string;
                /** @enum {string} */
                what: "buy" | "trial";
            } | {
                /** Format: date-time */
                at: string;
                graceEndsAt?: string | null;
                /** @constant */
                what: "billing_fail";
            } | {
                /** Format: date-time */
                at: string;
                /** Format: date-time */
                resumesAt?: string;
                /** @constant */
                what: "pause";
            } | {
                /** Format: date-time */
                at: string;
                atRenewal?: boolean;
                /** @description ID or store product ID. */
                product: string;
                /** @constant */
                what: "change_product";
            } | {
                /** Format: date-time */
                at: string;
                /** Format: date-time */
                until: string;
                /** @constant */
                what: "extend";
            } | {
                /** Format: date-time */
                at: string;
                entitlement: string;
                until: string | null;
                /** @constant */
                what: "grant";
            })[];
        };
        SimulatePurchaseOfTestAppBody: {
            /** @default test-user */
            appUserId?: string;
            productId: string;
        };
        Simulation: {
            access: {
                /** Format: date-time */
                from: string;
                lookupKey: string;
                /** @description Null if permanent. */
                until: string | null;
            }[];
            /** @description What this customer adds to charts. */
            charts: {
                /** @description Buckets in which it is not zero, in USD for money. */
                buckets: {
                    /** Format: date-time */
                    start: string;
                    values: {
                        [key: string]: number | null;
                    };
                }[];
                id: string;
                /** @enum {string} */
                interval: "day" | "week" | "month" | "quarter" | "year";
                name: string;
            }[];
            /** @description What limits the result, such as a missing price. */
            notes: string[];
            /** @constant */
            object: "simulation";
            /** @description Oldest first. */
            timeline: {
                access: {
                    /** @description Active entitlements by `lookupKey`, with their end; null if permanent. */
                    after: {
                        [key: string]: string | null;
                    };
                    /** @description Active entitlements by `lookupKey`, with their end; null if permanent. */
                    before: {
                        [key: string]: string | null;
                    };
                };
                /**
                 * Format: date-time
                 * @description When it takes effect.
                 */
                at: string;
                /** Format: date-time */
                recordedAt: string;
                /** @description Number of the step that led to it, from 0; null: time alone. */
                step: number | null;
                summary: string;
                type: string;
            }[];
            /**
             * Format: date-time
             * @description Instant of the last event.
             */
            until: string;
            webhooks: {
                /**
                 * Format: date-time
                 * @description When it would be sent.
                 */
                at: string;
                /** @description JSON body in camelCase. Omitted for callers who may not see money. */
                body?: {
                    [key: string]: unknown;
                };
                type: string;
            }[];
        };
        StoreReport: {
            /** @description Payments profile or vendor number. */
            account: string;
            /** @description Pacific day. */
            endDate: string;
            fileName: string;
            id: string;
            /** @description False if another report counts in its place. */
            isCounted: boolean;
            /** @enum {string} */
            kind: "earnings" | "sales" | "finance_detail" | "financial" | "payments";
            lines: number;
            /** @description `yyyy-mm`. */
            month: string;
            /** @constant */
            object: "store_report";
            /** @description Region of a `financial` report; null: all of the account. */
            part: string | null;
            /** Format: date-time */
            receivedAt: string;
            sha256: string;
            /** @description Pacific day. */
            startDate: string;
            /** @enum {string} */
            store: "ios-store" | "android-store";
            /** @description What the lines state in the currency that is paid, by their type. Omitted for callers who may not see money. */
            totals?: {
                amount: string;
                currency: string;
                lines: number;
                type: string;
            }[];
            /** @description `replaced`: a newer report of this kind, account, month and part counts. `outranked`: a report of the account’s month counts that says more: `earnings` before `sales`, `finance_detail` before `financial`. */
            uncountedReason: ("replaced" | "outranked") | null;
            /** @description Columns that were not used. */
            unknownColumns: string[];
        };
        SubmitStoreReceiptBody: {
            appId?: string;
            attributes?: {
                [key: string]: (string | null) | {
                    updatedAtMs: number;
                    value: string | null;
                };
            };
            currency?: string;
            /** @default false */
            isRestore?: boolean;
            offeringId?: string;
            price?: number;
            productId?: string;
            receipt: string;
            /** @enum {string} */
            store: "ios-store" | "android-store";
        };
        Subscriber: {
            appUserId: string;
            /** @description Omitted for callers who may not see personal fields. */
            attributes?: {
                [key: string]: {
                    /** Format: date-time */
                    updatedAt: string;
                    value: string;
                };
            };
            /** @description By `lookupKey`: all entitlements ever held. */
            entitlements: {
                [key: string]: components["schemas"]["SubscriberEntitlement"];
            };
            /** Format: date-time */
            firstSeenAt: string;
            /** Format: date-time */
            lastSeenAt: string;
            /** @description Store page of the newest subscription that has not ended. */
            managementUrl: string | null;
            nonSubscriptions: {
                [key: string]: {
                    id: string;
                    isSandbox: boolean;
                    /** Format: date-time */
                    purchasedAt: string;
                    /** @enum {string} */
                    store: "ios-store" | "android-store" | "test-store";
                    transactionId: string;
                }[];
            };
            /** @description Omitted for public keys if other subscribers were merged in. */
            originalAppUserId?: string;
            /** @description By `storeProductId`. */
            subscriptions: {
                [key: string]: components["schemas"]["SubscriberSubscription"];
            };
        };
        SubscriberEntitlement: {
            /** @description Null if permanent. */
            expiresAt: string | null;
            gracePeriodExpiresAt: string | null;
            isActive: boolean;
            isSandbox: boolean;
            /** @enum {string} */
            ownershipType: "purchased" | "family_shared";
            /** @enum {string} */
            periodType: "trial" | "intro" | "normal" | "prepaid" | "promotional";
            productId: string | null;
            /** Format: date-time */
            purchasedAt: string;
            /** @enum {string} */
            store: "ios-store" | "android-store" | "test-store" | "promotional";
            storeProductId: string | null;
            willRenew: boolean;
        };
        SubscriberResponse: {
            /** Format: date-time */
            requestDate: string;
            subscriber: components["schemas"]["Subscriber"];
        };
        SubscriberSubscription: {
            autoResumeAt: string | null;
            billingIssuesDetectedAt: string | null;
            /** Format: date-time */
            expiresAt: string;
            givesAccess: boolean;
            gracePeriodExpiresAt: string | null;
            id: string;
            isSandbox: boolean;
            /** Format: date-time */
            originalPurchasedAt: string;
            /** @enum {string} */
            ownershipType: "purchased" | "family_shared";
            /** @enum {string} */
            periodType: "trial" | "intro" | "normal" | "prepaid";
            /** Format: date-time */
            purchasedAt: string;
            refundedAt: string | null;
            /** @enum {string} */
            state: "pending" | "trial" | "intro" | "active" | "grace_period" | "billing_retry" | "paused" | "expired" | "refunded" | "revoked";
            /** @enum {string} */
            store: "ios-store" | "android-store" | "test-store";
            unsubscribeDetectedAt: string | null;
        };
        Subscription: {
            /** Format: date-time */
            accessEndsAt: string;
            /** @enum {string} */
            autoRenewStatus: "will_renew" | "will_not_renew" | "will_change_product" | "will_pause" | "requires_price_increase_consent";
            autoResumeAt: string | null;
            billingIssueDetectedAt: string | null;
            commitmentEndsAt: string | null;
            /** Format: date-time */
            currentPeriodEndsAt: string;
            /** Format: date-time */
            currentPeriodStartsAt: string;
            /** @enum {string} */
            environment: "production" | "sandbox";
            expirationReason: ("unsubscribe" | "billing_error" | "price_increase" | "product_not_for_sale" | "developer_initiated" | "subscription_paused" | "customer_support" | "product_change" | "unknown") | null;
            givesAccess: boolean;
            gracePeriodExpiresAt: string | null;
            id: string;
            latestTransactionId: string;
            /** @constant */
            object: "subscription";
            originalTransactionId: string;
            /** @enum {string} */
            ownership: "purchased" | "family_shared";
            pendingProductId: string | null;
            /** @enum {string} */
            periodType: "trial" | "intro" | "normal" | "prepaid";
            productId: string | null;
            refundedAt: string | null;
            renewalNumber: number;
            /** Format: date-time */
            startedAt: string;
            /** @enum {string} */
            state: "pending" | "trial" | "intro" | "active" | "grace_period" | "billing_retry" | "paused" | "expired" | "refunded" | "revoked";
            /** @enum {string} */
            store: "ios-store" | "android-store" | "test-store";
            storeProductId: string;
            /** @description Omitted for callers who may not see money. */
            totalRevenueUsd?: {
                commission: number;
                gross: number;
                proceeds: number;
                tax: number;
            };
            transactions: components["schemas"]["Transaction"][];
            unsubscribedAt: string | null;
        };
        TargetingRule: {
            conditions: ({
                /** @constant */
                kind: "country";
                /** @enum {string} */
                operator: "in" | "not_in";
                values: string[];
            } | {
                /** @constant */
                kind: "platform";
                /** @enum {string} */
                operator: "in" | "not_in";
                values: string[];
            } | {
                /** @constant */
                kind: "app_version";
                /** @enum {string} */
                operator: "at_least" | "below";
                value: string;
            } | {
                /** @constant */
                kind: "attribute";
                name: string;
                /** @enum {string} */
                operator: "in" | "not_in";
                values: string[];
            } | {
                /** @constant */
                kind: "attribute_set";
                name: string;
                value: boolean;
            } | {
                /** Format: date-time */
                at: string;
                /** @constant */
                kind: "first_seen";
                /** @enum {string} */
                operator: "before" | "from";
            } | {
                /** @constant */
                kind: "subscriber";
                value: boolean;
            })[];
            /** Format: date-time */
            createdAt: string;
            id: string;
            isActive: boolean;
            name: string;
            /** @constant */
            object: "targetingRule";
            offeringId: string | null;
            placements: {
                offeringId: string | null;
                placementId: string;
            }[];
            position: number;
            revision: number;
            /** Format: date-time */
            updatedAt: string;
        };
        TestAction: {
            changed: components["schemas"]["TimelineEntry"][];
            customer: components["schemas"]["CustomerDetail"];
            /** @constant */
            object: "test_action";
        };
        TestApp: {
            /** Format: date-time */
            createdAt: string;
            id: string;
            iosStoreSmallBusiness: boolean;
            name: string;
            notificationForwardingUrl: string | null;
            /** @description Enter it in the store’s console. Its last part is a secret: the credential of the store’s notifications. Omitted for callers who may not see secrets. */
            notificationUrl?: string | null;
            /** @constant */
            object: "app";
            /** @constant */
            platform: "test";
            projectId: string;
            /**
             * @description Answer to the store’s question about a refund; `none`: a member decides each.
             * @enum {string}
             */
            refundAnswer: "none" | "decline" | "grant_full" | "grant_prorated";
            /**
             * @description Who consents that the store gets data about a purchase: customers with the attribute `$refundConsent` = `true`, or all by the app’s terms.
             * @enum {string}
             */
            refundConsent: "each_customer" | "terms";
            /** @enum {string} */
            refundPolicy: "revoke_immediately" | "keep_until_expiry";
            /** @constant */
            store: "test-store";
            /** Format: date-time */
            updatedAt: string;
        };
        TestPurchase: {
            appUserId: string;
            customerId: string;
            /** @constant */
            object: "testPurchase";
            storeProductId: string;
            transactionId: string;
        };
        TimelineEntry: {
            access: {
                /** @description Active entitlements by `lookupKey`, with their end; null if permanent. */
                after: {
                    [key: string]: string | null;
                };
                /** @description Active entitlements by `lookupKey`, with their end; null if permanent. */
                before: {
                    [key: string]: string | null;
                };
            };
            actor: {
                id: string;
                /** @enum {string} */
                kind: "user" | "api_key" | "store" | "system" | "import";
                /** @description Name of the API key, also of a deleted one; name of the user, else their email. Null for a store and the service itself, for an erased user, and for users if the caller may not list members. */
                name: string | null;
                /** @description Tool through which the request came, such as `mcp: claude-code`. */
                via?: string;
            };
            /**
             * Format: date-time
             * @description When it took effect, by the store’s clock.
             */
            at: string;
            cause: ({
                notification: {
                    id: string;
                    /** @description Omitted for callers who may not see money and personal fields. */
                    rawBody?: string;
                    /** @enum {string} */
                    store: "ios-store" | "android-store" | "test-store";
                    type: string;
                };
            } | {
                request: {
                    id: string;
                };
            } | {
                report: {
                    id: string;
                    /** @enum {string} */
                    kind: "earnings" | "sales" | "finance_detail" | "financial" | "payments";
                    month: string;
                    /** @enum {string} */
                    store: "ios-store" | "android-store" | "test-store";
                    text: string;
                };
            }) | null;
            /** @description Omitted entirely for changed attributes that the caller may not see. */
            data?: {
                [key: string]: unknown;
            };
            deliveries: {
                eventId: string;
                id: string;
                /** @enum {string} */
                state: "pending" | "delivered" | "failed" | "held";
                type: string;
                webhookId: string;
            }[];
            id: string;
            /** @constant */
            object: "timelineEntry";
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            recordedAt: string;
            /** @description In the timeline of a customer: whether a report of the store agrees with the charge or refund. */
            settlement?: components["schemas"]["Settlement"];
            summary: string;
            /** @description Inferred from elapsed time, later contradicted by the store. */
            superseded: boolean;
            type: string;
        };
        Tokens: {
            /** @description Send it as `Authorization: Bearer …`. */
            accessToken: string;
            /** @description Seconds until the access token expires. */
            expiresIn: number;
            /** @description Can be used once at `POST /auth/refresh`. Omitted if it is in a cookie. */
            refreshToken?: string;
            /** @constant */
            tokenType: "Bearer";
        };
        Transaction: {
            /** @description Omitted for callers who may not see money. */
            amount?: number | null;
            /** @description Omitted for callers who may not see money. */
            amountUsd?: number | null;
            currency: string | null;
            expiresAt: string | null;
            id: string;
            /** @constant */
            object: "transaction";
            /** @enum {string} */
            periodType: "trial" | "intro" | "normal" | "prepaid";
            /** Format: date-time */
            purchasedAt: string;
            refundedAt: string | null;
        };
        TransactionDetail: {
            /** @description Omitted for callers who may not see money. */
            amount?: number | null;
            /** @description Omitted for callers who may not see money. */
            amountUsd?: number | null;
            appId: string;
            currency: string | null;
            customer: {
                appUserId: string;
                id: string;
            };
            /** @enum {string} */
            environment: "production" | "sandbox";
            /** @description Its recorded events, with notifications and webhooks. */
            events: components["schemas"]["TimelineEntry"][];
            expiresAt: string | null;
            id: string;
            /** @constant */
            object: "transaction";
            originalTransactionId: string;
            /** Format: date-time */
            purchasedAt: string;
            quantity: number;
            refundedAt: string | null;
            /** @description Refunded and not reversed. Omitted for callers who may not see money. */
            refundedUsd?: number | null;
            refundReversedAt: string | null;
            /** @description What a financial report of the store says about it; null while there is none near it. */
            settlement: components["schemas"]["Settlement"] | null;
            /** @enum {string} */
            store: "ios-store" | "android-store" | "test-store";
            storeProductId: string;
            subscriptionId: string | null;
            /** @description Period type, or product type of a one-time purchase. */
            type: string;
        };
        UpdateAppSettingsBody: {
            iosStoreSmallBusiness?: boolean;
            name?: string;
            notificationForwardingUrl?: string | null;
            /** @enum {string} */
            refundAnswer?: "none" | "decline" | "grant_full" | "grant_prorated";
            /** @enum {string} */
            refundConsent?: "each_customer" | "terms";
            /** @enum {string} */
            refundPolicy?: "revoke_immediately" | "keep_until_expiry";
        };
        UpdateEntitlementBody: {
            description?: string | null;
            displayName?: string;
        };
        UpdateExperimentBody: {
            audience?: {
                /** @default null */
                appIds?: string[] | null;
                /** @default null */
                countries?: string[] | null;
                /** @default null */
                minAppVersion?: string | null;
                /** @default null */
                platforms?: ("ios" | "android" | "macos" | "tvos" | "watchos" | "visionos" | "web")[] | null;
            };
            description?: string | null;
            enrollmentPercentage?: number;
            name?: string;
            /** @enum {string} */
            primaryMetric?: "customers" | "initial_conversions" | "initial_conversion_rate" | "trials_started" | "trials_completed" | "trials_converted" | "trial_conversion_rate" | "paying_customers" | "conversion_to_paying_rate" | "active_subscribers" | "churned_subscribers" | "refunded_customers" | "realized_ltv_usd" | "realized_ltv_per_customer" | "realized_ltv_per_paying_customer" | "mrr" | "mrr_per_customer";
            /** @enum {string} */
            status?: "draft" | "running" | "paused" | "stopped";
            winnerVariantId?: string | null;
        };
        UpdateOfferingBody: {
            archived?: boolean;
            displayName?: string;
            isCurrent?: boolean;
            metadata?: Record<string, never> | null;
        };
        UpdatePaywallBody: {
            /** @description Any object of at most 256 KiB, 10 levels deep. */
            config?: Record<string, never>;
            defaultLocale?: string;
            /** @description Any object of at most 256 KiB, 10 levels deep. */
            localizations?: Record<string, never>;
            name?: string;
            offeringId?: string;
            /** @enum {string} */
            status?: "draft" | "published";
        };
        UpdatePlacementBody: {
            displayName?: string;
        };
        UpdateProjectBody: {
            /** @description Currency in which the dashboard opens charts. */
            displayCurrency?: string;
            name?: string;
            /** @enum {string} */
            sandboxAccess?: "anybody" | "nobody";
            /** @constant */
            timezone?: "UTC";
            /** @enum {string} */
            transferBehavior?: "transfer" | "transfer_if_no_active" | "keep";
        };
        UpdateTargetingRuleBody: {
            conditions?: ({
                /** @constant */
                kind: "country";
                /** @enum {string} */
                operator: "in" | "not_in";
                values: string[];
            } | {
                /** @constant */
                kind: "platform";
                /** @enum {string} */
                operator: "in" | "not_in";
                values: ("ios" | "android" | "macos" | "tvos" | "watchos" | "visionos" | "web")[];
            } | {
                /** @constant */
                kind: "app_version";
                /** @enum {string} */
                operator: "at_least" | "below";
                value: string;
            } | {
                /** @constant */
                kind: "attribute";
                name: string;
                /** @enum {string} */
                operator: "in" | "not_in";
                values: string[];
            } | {
                /** @constant */
                kind: "attribute_set";
                name: string;
                value: boolean;
            } | {
                /** Format: date-time */
                at: string;
                /** @constant */
                kind: "first_seen";
                /** @enum {string} */
                operator: "before" | "from";
            } | {
                /** @constant */
                kind: "subscriber";
                value: boolean;
            })[];
            isActive?: boolean;
            name?: string;
            offeringId?: string | null;
            placements?: {
                offeringId: string | null;
                placementId: string;
            }[];
            position?: number;
        };
        UpdateWebhookBody: {
            appId?: string | null;
            authorizationHeader?: string | null;
            enabled?: boolean;
            environment?: ("production" | "sandbox") | null;
            eventTypes?: ("TEST" | "TRANSFER" | "SUBSCRIBER_ALIAS" | "INITIAL_PURCHASE" | "RENEWAL" | "NON_RENEWING_PURCHASE" | "TEMPORARY_ENTITLEMENT_GRANT" | "PRODUCT_CHANGE" | "BILLING_ISSUE" | "CANCELLATION" | "UNCANCELLATION" | "SUBSCRIPTION_PAUSED" | "SUBSCRIPTION_EXTENDED" | "EXPIRATION" | "REFUND" | "REFUND_REVERSED" | "PRICE_CORRECTED" | "PRICE_INCREASE_CONSENT_REQUIRED" | "PRICE_INCREASE_CONSENT_APPROVED" | "EXPERIMENT_ENROLLMENT" | "ENTITLEMENT_CHANGED" | "BOOKS_MONTH_COMPLETE" | "BOOKS_LINE_MISSING_HERE" | "FIGURE_OUT_OF_BAND" | "INVOICE_ISSUANCE" | "VIRTUAL_CURRENCY_TRANSACTION" | "PURCHASE_REDEEMED" | "PAYWALL_IMPRESSION" | "PAYWALL_CLOSE" | "PAYWALL_CANCEL" | "PAYWALL_EXIT_OFFER" | "PAYWALL_COMPONENT_INTERACTED")[] | null;
            name?: string | null;
            ordered?: boolean;
            /**
             * @description `revenuecat`: names, values and kinds of RevenueCat’s webhooks, signed in its way too.
             * @enum {string}
             */
            payloadFormat?: "camelCase" | "snake_case" | "revenuecat";
            rotateGraceHours?: number;
            rotateSecret?: boolean;
            url?: string;
        };
        User: {
            /** Format: date-time */
            createdAt: string;
            email: string;
            id: string;
            name: string | null;
            /** @constant */
            object: "user";
        };
        UsualBand: {
            band: {
                days: number;
                high: number;
                low: number;
                median: number;
                spread: number;
                /** @description Usual number of what the figure is made of. */
                usualCount: number;
            } | null;
            chartId: string;
            /**
             * Format: date
             * @description Last complete UTC day.
             */
            day: string;
            /** @description The same weekdays before, latest first. */
            earlier: {
                /** Format: date */
                day: string;
                value: number | null;
            }[];
            isWatched: boolean;
            measure: string;
            method: string;
            /** @constant */
            object: "usualBand";
            sentence: string;
            /** @enum {string} */
            unit: "count" | "usd" | "percent";
            /** @description Figure of the day; null if there was nothing to divide by. */
            value: number | null;
            /**
             * @description `too_few_days`, `too_small`: there is no band.
             * @enum {string}
             */
            verdict: "usual" | "low" | "high" | "too_few_days" | "too_small";
        };
        Variant: {
            /** Format: date-time */
            createdAt: string;
            experimentId: string;
            id: string;
            isControl: boolean;
            name: string;
            /** @constant */
            object: "variant";
            offeringId: string;
            weight: number;
        };
        VariantResults: {
            activeSubscribers: number;
            /** @description Null for the control. */
            chanceToWin: {
                /** @description Probability from 0 to 1 of a better rate than the control’s; null while either has fewer than 100 customers, or completed trials for the trial conversion. */
                conversionToPayingRate: number | null;
                /** @description Probability from 0 to 1 of a better rate than the control’s; null while either has fewer than 100 customers, or completed trials for the trial conversion. */
                initialConversionRate: number | null;
                /** @description Probability from 0 to 1 of a better rate than the control’s; null while either has fewer than 100 customers, or completed trials for the trial conversion. */
                trialConversionRate: number | null;
            } | null;
            churnedSubscribers: number;
            /** @description 0 to 1; null without customers. */
            conversionToPayingRate: number | null;
            customers: number;
            /** @description 0 to 1; null without customers. */
            initialConversionRate: number | null;
            /** @description Customers with a purchase or a trial. */
            initialConversions: number;
            isControl: boolean;
            /** @description Omitted for callers who may not see money. */
            mrr?: number;
            /** @description Omitted for callers who may not see money. */
            mrrPerCustomer?: number | null;
            name: string;
            payingCustomers: number;
            primary: components["schemas"]["PrimaryMetricResult"];
            /** @description Omitted for callers who may not see money. */
            realizedLtvPerCustomer?: number | null;
            /** @description Omitted for callers who may not see money. */
            realizedLtvPerPayingCustomer?: number | null;
            /** @description Omitted for callers who may not see money. */
            realizedLtvUsd?: number;
            refundedCustomers: number;
            /** @description 0 to 1; null without customers. */
            trialConversionRate: number | null;
            /** @description Converted or expired trials. */
            trialsCompleted: number;
            trialsConverted: number;
            trialsStarted: number;
            variantId: string;
        };
        WatchChartsDailyFigureBody: {
            isWatched: boolean;
        };
        Webhook: {
            appId: string | null;
            /** Format: date-time */
            createdAt: string;
            disabledReason: ("gone" | "failures" | "user") | null;
            enabled: boolean;
            /** @description Null for both. */
            environment: ("production" | "sandbox") | null;
            /** @description Null for all types. */
            eventTypes: string[] | null;
            hasAuthorizationHeader: boolean;
            id: string;
            lastDelivery: {
                /** Format: date-time */
                at: string;
                /** @description Null if there was no response. */
                status: number | null;
            } | null;
            name: string | null;
            /** @constant */
            object: "webhook";
            ordered: boolean;
            /**
             * @description `revenuecat`: names, values and kinds of RevenueCat’s webhooks, signed in its way too.
             * @enum {string}
             */
            payloadFormat: "camelCase" | "snake_case" | "revenuecat";
            projectId: string;
            /** @description Omitted for callers who may not see secrets. */
            secretPreview?: string | null;
            /** @description Attempts by outcome. */
            stats24h: {
                delivered: number;
                failed: number;
            };
            /** Format: date-time */
            updatedAt: string;
            url: string;
        };
        WebhookExample: {
            /** @description In the `payloadFormat` of the webhook. For a fictional customer, marked `isExample`. */
            body: string;
            /** @constant */
            object: "webhookExample";
            /** @enum {string} */
            type: "TEST" | "TRANSFER" | "SUBSCRIBER_ALIAS" | "INITIAL_PURCHASE" | "RENEWAL" | "NON_RENEWING_PURCHASE" | "TEMPORARY_ENTITLEMENT_GRANT" | "PRODUCT_CHANGE" | "BILLING_ISSUE" | "CANCELLATION" | "UNCANCELLATION" | "SUBSCRIPTION_PAUSED" | "SUBSCRIPTION_EXTENDED" | "EXPIRATION" | "REFUND" | "REFUND_REVERSED" | "PRICE_CORRECTED" | "PRICE_INCREASE_CONSENT_REQUIRED" | "PRICE_INCREASE_CONSENT_APPROVED" | "EXPERIMENT_ENROLLMENT" | "ENTITLEMENT_CHANGED" | "BOOKS_MONTH_COMPLETE" | "BOOKS_LINE_MISSING_HERE" | "FIGURE_OUT_OF_BAND";
        };
        WebhookReplay: {
            id: string;
            /** @constant */
            object: "webhookReplay";
            queued: number;
        };
        WebhookWithSecret: {
            appId: string | null;
            /** Format: date-time */
            createdAt: string;
            disabledReason: ("gone" | "failures" | "user") | null;
            enabled: boolean;
            /** @description Null for both. */
            environment: ("production" | "sandbox") | null;
            /** @description Null for all types. */
            eventTypes: string[] | null;
            hasAuthorizationHeader: boolean;
            id: string;
            lastDelivery: {
                /** Format: date-time */
                at: string;
                /** @description Null if there was no response. */
                status: number | null;
            } | null;
            name: string | null;
            /** @constant */
            object: "webhook";
            ordered: boolean;
            /**
             * @description `revenuecat`: names, values and kinds of RevenueCat’s webhooks, signed in its way too.
             * @enum {string}
             */
            payloadFormat: "camelCase" | "snake_case" | "revenuecat";
            projectId: string;
            /** @description Signing secret. Shown only in this response. */
            secret?: string;
            /** @description Omitted for callers who may not see secrets. */
            secretPreview?: string | null;
            /** @description Attempts by outcome. */
            stats24h: {
                delivered: number;
                failed: number;
            };
            /** Format: date-time */
            updatedAt: string;
            url: string;
        };
    };
    responses: {
        /** @description A field is missing or wrong, or both credentials were sent. */
        BadRequest: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 400,
                 *       "message": "what is wrong, and what to do",
                 *       "error": "Bad Request"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The name is taken, the state does not allow it, or the `Idempotency-Key` was used with another body. */
        Conflict: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 409,
                 *       "message": "what is wrong, and what to do",
                 *       "error": "Conflict"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The credential is valid but not allowed to do this. */
        Forbidden: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 403,
                 *       "message": "what is wrong, and what to do",
                 *       "error": "Forbidden"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Internal error; report the `x-request-id` to the operator. */
        InternalServerError: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 500,
                 *       "message": "what is wrong, and what to do",
                 *       "error": "Internal Server Error"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Not found in this project, or you are not a member of the project. */
        NotFound: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 404,
                 *       "message": "what is wrong, and what to do",
                 *       "error": "Not Found"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is too large for this endpoint. */
        PayloadTooLarge: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 413,
                 *       "message": "what is wrong, and what to do",
                 *       "error": "Payload Too Large"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A store or a part of the service is unavailable; retry after `Retry-After` seconds. */
        ServiceUnavailable: {
            headers: {
                "retry-after": components["headers"]["RetryAfter"];
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 503,
                 *       "message": "what is wrong, and what to do",
                 *       "error": "Service Unavailable"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many requests; retry after `Retry-After` seconds. */
        TooManyRequests: {
            headers: {
                "retry-after": components["headers"]["RetryAfter"];
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 429,
                 *       "message": "what is wrong, and what to do",
                 *       "error": "Too Many Requests"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The credential is missing, unknown, expired or deleted. */
        Unauthorized: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 401,
                 *       "message": "what is wrong, and what to do",
                 *       "error": "Unauthorized"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is not `application/json`. */
        UnsupportedMediaType: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "statusCode": 415,
                 *       "message": "what is wrong, and what to do",
                 *       "error": "Unsupported Media Type"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
        IdempotencyKey: string;
        /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
        Position: string;
        /** @description The project, for requests of users. API keys belong to one project and do not need it. */
        ProjectId: string;
    };
    requestBodies: never;
    headers: {
        /** @description Log position of the write; see the `X-Position` request header. */
        Position: string;
        /** @description Log position up to which the read models had processed the log before this response was made; it orders as text. Missing while a read model has not started. */
        ReadPosition: string;
        /** @description ID of this request in the log. */
        RequestId: string;
        /** @description Seconds to wait. */
        RetryAfter: number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listOwnAccountHistory: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [
                     *         {
                     *           "object": "accountEvent",
                     *           "id": "1033f791-0dd7-5cdd-a8ac-6e0358cd05c3",
                     *           "at": "2026-09-01T09:04:11.000Z",
                     *           "action": "UserSecondFactorDisabled",
                     *           "byOperator": false
                     *         },
                     *         {
                     *           "object": "accountEvent",
                     *           "id": "29995127-a516-5c5a-a30b-96c49b892d78",
                     *           "at": "2026-09-01T09:03:10.000Z",
                     *           "action": "UserRecoveryCodesReplaced",
                     *           "byOperator": false
                     *         }
                     *       ],
                     *       "nextPage": null,
                     *       "url": "/auth/activity"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["AccountEvent"][];
                        /** @description Path and query of the next page; null on the last one. */
                        nextPage: string | null;
                        /** @constant */
                        object: "list";
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "inv_…"
                 *     }
                 */
                "application/json": components["schemas"]["AcceptInvitationBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "project",
                     *       "id": "proj_01m1e34thrvetvggrrhzg38y99",
                     *       "name": "Stargazer",
                     *       "transferBehavior": "transfer",
                     *       "sandboxAccess": "anybody",
                     *       "displayCurrency": "USD",
                     *       "role": "support",
                     *       "demo": null,
                     *       "createdAt": "2026-09-01T09:00:03.000Z",
                     *       "updatedAt": "2026-09-01T09:00:03.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Project"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    logIn: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "me@example.com",
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["LogInBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "object": "user",
                     *         "id": "usr_01m1e34rk824ed3rrvxdvkdqjm",
                     *         "email": "ada@example.com",
                     *         "name": "Ada",
                     *         "createdAt": "2026-09-01T09:00:01.000Z"
                     *       },
                     *       "accessToken": "eyJhbGciOiJIUzI1NiIsInR5cCI6…",
                     *       "refreshToken": "rt_J2zbSghRspuP6YrI4ZpS8rWi8oIy1iU62W53zBHyiVp",
                     *       "tokenType": "Bearer",
                     *       "expiresIn": 86400
                     *     }
                     */
                    "application/json": components["schemas"]["LoggedIn"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    logOut: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "refreshToken": "rt_…"
                 *     }
                 */
                "application/json": components["schemas"]["LogOutBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "session",
                     *       "id": "ses_01m7w6e8jrb05hsazrewtw2kjs",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": components["schemas"]["EndedSession"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCurrentUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "user",
                     *       "id": "usr_01m1e34rk824ed3rrvxdvkdqjm",
                     *       "email": "ada@example.com",
                     *       "name": "Ada",
                     *       "createdAt": "2026-09-01T09:00:01.000Z",
                     *       "projects": [
                     *         {
                     *           "id": "proj_01m1e34thrvetvggrrhzg38y99",
                     *           "name": "Stargazer",
                     *           "role": "owner"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Me"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeOwnName: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada Lovelace"
                 *     }
                 */
                "application/json": components["schemas"]["ChangeOwnNameBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "user",
                     *       "id": "usr_01m1e34rk824ed3rrvxdvkdqjm",
                     *       "email": "ada@example.com",
                     *       "name": "Ada Lovelace",
                     *       "createdAt": "2026-09-01T09:00:01.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeOwnPassword: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse battery",
                 *       "code": "123456",
                 *       "newPassword": "a better horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["ChangeOwnPasswordBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "object": "user",
                     *         "id": "usr_01m1e34rk824ed3rrvxdvkdqjm",
                     *         "email": "ada@example.com",
                     *         "name": "Ada Lovelace",
                     *         "createdAt": "2026-09-01T09:00:01.000Z"
                     *       },
                     *       "accessToken": "eyJhbGciOiJIUzI1NiIsInR5cCI6…",
                     *       "refreshToken": "rt_1fCJ3ukWw453ObT57ne7Xr0mfOKn6DUj5xaJVXK8PXl",
                     *       "tokenType": "Bearer",
                     *       "expiresIn": 86400
                     *     }
                     */
                    "application/json": components["schemas"]["LoggedIn"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    refreshTokens: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "refreshToken": "rt_…"
                 *     }
                 */
                "application/json": components["schemas"]["RefreshTokensBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "accessToken": "eyJhbGciOiJIUzI1NiIsInR5cCI6…",
                     *       "refreshToken": "rt_Sh4zY86zWQ331h7MWp3niIDjlQ7N9gURXeGj90GFUmy",
                     *       "tokenType": "Bearer",
                     *       "expiresIn": 86400
                     *     }
                     */
                    "application/json": components["schemas"]["Tokens"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    registerUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "me@example.com",
                 *       "password": "correct horse battery",
                 *       "name": "Ada"
                 *     }
                 */
                "application/json": components["schemas"]["RegisterUserBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "object": "user",
                     *         "id": "usr_01m7w6df68wewfqywcptavfscr",
                     *         "email": "grace@example.com",
                     *         "name": "Grace",
                     *         "createdAt": "2026-11-20T10:00:45.000Z"
                     *       },
                     *       "accessToken": "eyJhbGciOiJIUzI1NiIsInR5cCI6…",
                     *       "refreshToken": "rt_NUMYQwPYs0Lq0CQ2V8Lsx3trlRn7qWZeuQQbXiIOfhc",
                     *       "tokenType": "Bearer",
                     *       "expiresIn": 86400
                     *     }
                     */
                    "application/json": components["schemas"]["LoggedIn"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getOwnSecondFactor: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "secondFactor",
                     *       "enabled": true,
                     *       "enabledAt": "2026-09-01T09:01:08.000Z",
                     *       "recoveryCodesLeft": 10
                     *     }
                     */
                    "application/json": components["schemas"]["SecondFactor"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    prepareSecondFactor: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["PrepareSecondFactorBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "preparedSecondFactor",
                     *       "secret": "KI2SFZQPBHR5OPG7UUT4AMICAMP2VZDY",
                     *       "otpauthUrl": "otpauth://totp/Subledger:ada%40example.com?secret=KI2SFZQPBHR5OPG7UUT4AMICAMP2VZDY&issuer=Subledger&algorithm=SHA1&digits=6&period=30"
                     *     }
                     */
                    "application/json": components["schemas"]["PreparedSecondFactor"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    removeSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse battery",
                 *       "code": "123456"
                 *     }
                 */
                "application/json": components["schemas"]["RemoveSecondFactorBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "secondFactor",
                     *       "enabled": false,
                     *       "enabledAt": null,
                     *       "recoveryCodesLeft": 0
                     *     }
                     */
                    "application/json": components["schemas"]["SecondFactor"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    confirmSecondFactor: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "123456"
                 *     }
                 */
                "application/json": components["schemas"]["ConfirmSecondFactorBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "recoveryCodes",
                     *       "codes": [
                     *         "7MDM-XD2C-C6ZE-XJGE",
                     *         "4GHT-4HWI-DQTU-LWNG",
                     *         "C6OR-EYM6-Z6ZH-KCTB",
                     *         "IAWK-FZOK-6EGU-Z432",
                     *         "5GTG-ORRY-2AH3-4WNX",
                     *         "JOQP-YQNA-BZVQ-6LPA",
                     *         "RGUU-4EEX-FPWU-V5PM",
                     *         "PX5I-ICLS-J6JE-ZPNY",
                     *         "FWDX-Y5DC-B577-TO7X",
                     *         "EBFW-6ONB-DLIS-JARV"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replaceRecoveryCodes: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse battery",
                 *       "code": "123456"
                 *     }
                 */
                "application/json": components["schemas"]["ReplaceRecoveryCodesBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "recoveryCodes",
                     *       "codes": [
                     *         "EGX7-P5GN-XTVK-O3M7",
                     *         "C4KY-TVRF-QZ4T-RCIP",
                     *         "IZSS-GGXA-GULF-FVZN",
                     *         "2GLQ-RQDE-GC33-KDPN",
                     *         "5AUH-4VHD-L66J-7E6D",
                     *         "3LP2-GGWK-Z7AI-2WLD",
                     *         "UPBX-MMGW-ZO2I-Q7H4",
                     *         "JW2B-WWOH-ZSAL-EODC",
                     *         "JRNB-2OIL-UZG2-UPGG",
                     *         "WJCZ-S2B4-XU3Q-G27K"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listOwnOpenSessions: {
        parameters: {
            query?: {
                limit?: number;
                startingAfter?: string;
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [
                     *         {
                     *           "object": "session",
                     *           "id": "ses_01m1e34thrbnrvbst4787949mz",
                     *           "isCurrent": false,
                     *           "openedAt": "2026-09-01T09:00:03.000Z",
                     *           "lastUsedAt": "2026-09-01T09:00:03.000Z",
                     *           "expiresAt": "2026-10-01T09:00:03.000Z"
                     *         },
                     *         {
                     *           "object": "session",
                     *           "id": "ses_01m1e34rk8pdt3nr3cme52ks2w",
                     *           "isCurrent": true,
                     *           "openedAt": "2026-09-01T09:00:01.000Z",
                     *           "lastUsedAt": "2026-09-01T09:00:01.000Z",
                     *           "expiresAt": "2026-10-01T09:00:01.000Z"
                     *         }
                     *       ],
                     *       "nextPage": null,
                     *       "url": "/auth/sessions"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Session"][];
                        /** @description Path and query of the next page; null on the last one. */
                        nextPage: string | null;
                        /** @constant */
                        object: "list";
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    endAllOtherOwnSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "endedSessions",
                     *       "count": 1
                     *     }
                     */
                    "application/json": components["schemas"]["EndedSessions"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    endOwnSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Session id (`ses_…`). */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "session",
                     *       "id": "ses_01m1e34thrbnrvbst4787949mz",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        deleted: true;
                        id: string;
                        /** @constant */
                        object: "session";
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    checkLife: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "ok";
                    };
                };
            };
        };
    };
    getOpenapiDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    checkReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It can. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ready"
                     *     }
                     */
                    "application/json": {
                        /** @description Halted read models, which serve stale data. Omitted when there are none. */
                        halted?: string[];
                        /** @enum {string} */
                        status: "ready";
                    };
                };
            };
            /** @description Not now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "not ready"
                     *     }
                     */
                    "application/json": {
                        /** @description Halted read models, which serve stale data. Omitted when there are none. */
                        halted?: string[];
                        /** @enum {string} */
                        status: "not ready";
                        /** @description Servers that the process needs to start and that do not respond yet. Omitted once it has started. */
                        waitingFor?: string[];
                    };
                };
            };
        };
    };
    getApiKeyOfRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "ownApiKey",
                     *       "id": "key_01m1e35g18jknn0y2rr34mgax2",
                     *       "projectId": "proj_01m1e34thrvetvggrrhzg38y99",
                     *       "kind": "secret",
                     *       "appId": null,
                     *       "scopes": [
                     *         "read",
                     *         "write",
                     *         "support",
                     *         "config",
                     *         "finance",
                     *         "pii"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["OwnApiKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createDemoProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted for later processing; the response says what is missing. */
            202: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "project",
                     *       "id": "proj_01m1e34sjgvetvggrrhzg38y99",
                     *       "name": "Stargazer (demo)",
                     *       "transferBehavior": "transfer",
                     *       "sandboxAccess": "anybody",
                     *       "displayCurrency": "USD",
                     *       "role": "owner",
                     *       "demo": "playing",
                     *       "demoProgress": 0,
                     *       "createdAt": "2025-07-02T18:36:02.000Z",
                     *       "updatedAt": "2025-07-02T18:36:02.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Project"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    recordCustomEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordCustomEventBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "accepted": 1,
                     *       "duplicates": 0
                     *     }
                     */
                    "application/json": components["schemas"]["RecordedEvents"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCurrentOffering: {
        parameters: {
            query?: {
                currentOnly?: "true" | "false";
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "currentOfferingId": "default",
                     *       "offerings": [
                     *         {
                     *           "id": "ofr_01m1e35c48hxtwbhadkqnx9sfg",
                     *           "lookupKey": "yearly-first",
                     *           "displayName": "Yearly first",
                     *           "metadata": {},
                     *           "packages": [
                     *             {
                     *               "id": "pkg_01m1e35d3g2ytq8j9gdht8mggt",
                     *               "lookupKey": "$annual",
                     *               "packageType": "annual",
                     *               "displayName": "Yearly",
                     *               "products": [
                     *                 {
                     *                   "id": "prod_01m1e350d8mgtbsaqea3k7vwrg",
                     *                   "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *                   "storeProductId": "com.example.stargazer.pro.year",
                     *                   "store": "ios-store",
                     *                   "type": "subscription",
                     *                   "duration": "P1Y"
                     *                 }
                     *               ]
                     *             }
                     *           ]
                     *         },
                     *         {
                     *           "id": "ofr_01m1e357804fbkv0zrhh7az7td",
                     *           "lookupKey": "default",
                     *           "displayName": "Standard",
                     *           "metadata": {
                     *             "accent": "gold"
                     *           },
                     *           "packages": [
                     *             {
                     *               "id": "pkg_01m1e35878w83zaptac8gxm21e",
                     *               "lookupKey": "$annual",
                     *               "packageType": "annual",
                     *               "displayName": "Yearly",
                     *               "products": [
                     *                 {
                     *                   "id": "prod_01m1e350d8mgtbsaqea3k7vwrg",
                     *                   "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *                   "storeProductId": "com.example.stargazer.pro.year",
                     *                   "store": "ios-store",
                     *                   "type": "subscription",
                     *                   "duration": "P1Y"
                     *                 }
                     *               ]
                     *             },
                     *             {
                     *               "id": "pkg_01m1e35a5rk3wr9x16an796d12",
                     *               "lookupKey": "$monthly",
                     *               "packageType": "monthly",
                     *               "displayName": "Monthly",
                     *               "products": [
                     *                 {
                     *                   "id": "prod_01m1e351cgj9qhvd2ykta871v4",
                     *                   "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *                   "storeProductId": "com.example.stargazer.pro.month",
                     *                   "store": "ios-store",
                     *                   "type": "subscription",
                     *                   "duration": "P1M"
                     *                 }
                     *               ]
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description The `lookupKey` of the current offering. */
                        currentOfferingId: string | null;
                        offerings: components["schemas"]["SdkOffering"][];
                    } | {
                        offering: components["schemas"]["SdkOffering"] | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPaywallsOfOffering: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Offering, by id (`ofr_…`) or `lookupKey`. */
                oid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [
                     *         {
                     *           "object": "paywall",
                     *           "id": "pw_01m1e35f2038takhqcrz90191g",
                     *           "offeringId": "ofr_01m1e357804fbkv0zrhh7az7td",
                     *           "name": "Winter",
                     *           "status": "published",
                     *           "config": {
                     *             "layout": "list"
                     *           },
                     *           "defaultLocale": "en",
                     *           "localizations": {
                     *             "de": {
                     *               "title": "Mehr sehen"
                     *             }
                     *           },
                     *           "revision": 2,
                     *           "publishedAt": "2026-09-01T09:00:24.000Z",
                     *           "createdAt": "2026-09-01T09:00:24.000Z",
                     *           "updatedAt": "2026-11-20T10:00:04.000Z"
                     *         }
                     *       ],
                     *       "nextPage": null,
                     *       "url": "/v1/offerings/default/paywalls"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Paywall"][];
                        /** @description Path and query of the next page; null on the last one. */
                        nextPage: string | null;
                        /** @constant */
                        object: "list";
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listProjects: {
        parameters: {
            query?: {
                limit?: number;
                startingAfter?: string;
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [
                     *         {
                     *           "object": "project",
                     *           "id": "proj_01m1e34thrvetvggrrhzg38y99",
                     *           "name": "Stargazer",
                     *           "transferBehavior": "transfer",
                     *           "sandboxAccess": "anybody",
                     *           "displayCurrency": "USD",
                     *           "role": "owner",
                     *           "demo": null,
                     *           "createdAt": "2026-09-01T09:00:03.000Z",
                     *           "updatedAt": "2026-09-01T09:00:03.000Z"
                     *         }
                     *       ],
                     *       "nextPage": null,
                     *       "url": "/v1/projects"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Project"][];
                        /** @description Path and query of the next page; null on the last one. */
                        nextPage: string | null;
                        /** @constant */
                        object: "list";
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Stargazer"
                 *     }
                 */
                "application/json": components["schemas"]["CreateProjectBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "project",
                     *       "id": "proj_01m1e34thrvetvggrrhzg38y99",
                     *       "name": "Stargazer",
                     *       "transferBehavior": "transfer",
                     *       "sandboxAccess": "anybody",
                     *       "displayCurrency": "USD",
                     *       "role": "owner",
                     *       "demo": null,
                     *       "createdAt": "2026-09-01T09:00:03.000Z",
                     *       "updatedAt": "2026-09-01T09:00:03.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Project"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getProjectDetails: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "project",
                     *       "id": "proj_01m1e34thrvetvggrrhzg38y99",
                     *       "name": "Stargazer",
                     *       "transferBehavior": "transfer",
                     *       "sandboxAccess": "anybody",
                     *       "displayCurrency": "USD",
                     *       "role": "owner",
                     *       "demo": null,
                     *       "createdAt": "2026-09-01T09:00:03.000Z",
                     *       "updatedAt": "2026-09-01T09:00:03.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Project"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "project",
                     *       "id": "proj_01m1e34thrvetvggrrhzg38y99",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        deleted: true;
                        id: string;
                        /** @constant */
                        object: "project";
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "transferBehavior": "keep"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateProjectBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "project",
                     *       "id": "proj_01m1e34thrvetvggrrhzg38y99",
                     *       "name": "Stargazer",
                     *       "transferBehavior": "transfer",
                     *       "sandboxAccess": "anybody",
                     *       "displayCurrency": "USD",
                     *       "role": "owner",
                     *       "demo": null,
                     *       "createdAt": "2026-09-01T09:00:03.000Z",
                     *       "updatedAt": "2026-09-01T09:00:03.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Project"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAnnotations: {
        parameters: {
            query?: {
                limit?: number;
                startingAfter?: string;
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [
                     *         {
                     *           "object": "annotation",
                     *           "id": "ann_01m7w6cnsr9zrxc8cmh10mjhbc",
                     *           "day": "2026-11-01",
                     *           "text": "Version 4.2 with the new paywall",
                     *           "kind": "release",
                     *           "automatic": false,
                     *           "createdAt": "2026-11-20T10:00:19.000Z"
                     *         },
                     *         {
                     *           "object": "annotation",
                     *           "id": "8e07f390-a4f5-557e-a80d-789b508e7918",
                     *           "day": "2026-09-01",
                     *           "text": "Price of Pro, monthly: 9.99 USD",
                     *           "kind": "price",
                     *           "automatic": true,
                     *           "createdAt": "2026-09-01T09:00:13.000Z"
                     *         },
                     *         {
                     *           "object": "annotation",
                     *           "id": "f7112c60-fde4-55e5-a6f4-571b403e5e8d",
                     *           "day": "2026-09-01",
                     *           "text": "Offering default became the current one",
                     *           "kind": "offering",
                     *           "automatic": true,
                     *           "createdAt": "2026-09-01T09:00:16.000Z"
                     *         },
                     *         {
                     *           "object": "annotation",
                     *           "id": "c4cc2fcc-5da3-5735-a502-75315802364f",
                     *           "day": "2026-09-01",
                     *           "text": "Experiment Yearly first? started",
                     *           "kind": "experiment",
                     *           "automatic": true,
                     *           "createdAt": "2026-09-01T09:00:32.000Z"
                     *         }
                     *       ],
                     *       "nextPage": null,
                     *       "url": "/v1/projects/proj_01m1e34thrvetvggrrhzg38y99/annotations"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Annotation"][];
                        /** @description Path and query of the next page; null on the last one. */
                        nextPage: string | null;
                        /** @constant */
                        object: "list";
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    addAnnotationToDay: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "day": "2026-11-20",
                 *       "text": "Version 4.2 with the new paywall",
                 *       "kind": "release"
                 *     }
                 */
                "application/json": components["schemas"]["AddAnnotationToDayBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "annotation",
                     *       "id": "ann_01m7w6cnsr9zrxc8cmh10mjhbc",
                     *       "day": "2026-11-01",
                     *       "text": "Version 4.2 with the new paywall",
                     *       "kind": "release",
                     *       "automatic": false,
                     *       "createdAt": "2026-11-20T10:00:19.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Annotation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteAnnotation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Annotation id (`ann_…`). */
                annotationId: string;
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "annotation",
                     *       "id": "ann_01m7w6cnsr9zrxc8cmh10mjhbc",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        deleted: true;
                        id: string;
                        /** @constant */
                        object: "annotation";
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                limit?: number;
                startingAfter?: string;
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [
                     *         {
                     *           "object": "apiKey",
                     *           "id": "key_01m1e35hzrphhx6fqyw4fx80r2",
                     *           "name": "reports",
                     *           "kind": "secret",
                     *           "appId": null,
                     *           "keyPreview": "sk_…TW0c",
                     *           "scopes": [
                     *             "read"
                     *           ],
                     *           "createdAt": "2026-09-01T09:00:27.000Z",
                     *           "expiresAt": null,
                     *           "lastUsedAt": null
                     *         },
                     *         {
                     *           "object": "apiKey",
                     *           "id": "key_01m1e35h0gcqw8s4h6dk3q575b",
                     *           "name": "iOS app",
                     *           "kind": "public",
                     *           "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *           "keyPreview": "pk_…LRei",
                     *           "scopes": [],
                     *           "createdAt": "2026-09-01T09:00:26.000Z",
                     *           "expiresAt": null,
                     *           "lastUsedAt": "2026-09-02T08:14:31.000Z"
                     *         },
                     *         {
                     *           "object": "apiKey",
                     *           "id": "key_01m1e35g18jknn0y2rr34mgax2",
                     *           "name": "server",
                     *           "kind": "secret",
                     *           "appId": null,
                     *           "keyPreview": "sk_…3IX2",
                     *           "scopes": [
                     *             "read",
                     *             "write",
                     *             "support",
                     *             "config",
                     *             "finance",
                     *             "pii"
                     *           ],
                     *           "createdAt": "2026-09-01T09:00:25.000Z",
                     *           "expiresAt": null,
                     *           "lastUsedAt": "2026-09-02T08:15:05.000Z"
                     *         }
                     *       ],
                     *       "nextPage": null,
                     *       "url": "/v1/projects/proj_01m1e34thrvetvggrrhzg38y99/api-keys"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["ApiKey"][];
                        /** @description Path and query of the next page; null on the last one. */
                        nextPage: string | null;
                        /** @constant */
                        object: "list";
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "server"
                 *     }
                 */
                "application/json": components["schemas"]["CreateApiKeyBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "apiKey",
                     *       "id": "key_01m7w6d1gr4h9rj52cavg1z1m0",
                     *       "name": "test app",
                     *       "kind": "public",
                     *       "appId": "app_01m7w6d0hg6b7e3ra2f22qvhdw",
                     *       "keyPreview": "test_…HvEi",
                     *       "scopes": [],
                     *       "createdAt": "2026-11-20T10:00:31.000Z",
                     *       "expiresAt": null,
                     *       "lastUsedAt": null,
                     *       "key": "test_V5S2CLCam4eghmmOJWZnpB7vbTuiYj26HvEi"
                     *     }
                     */
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description API key id (`key_…`). */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "apiKey",
                     *       "id": "key_01m1e35g18jknn0y2rr34mgax2",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        deleted: true;
                        id: string;
                        /** @constant */
                        object: "apiKey";
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listApps: {
        parameters: {
            query?: {
                limit?: number;
                startingAfter?: string;
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [
                     *         {
                     *           "object": "app",
                     *           "id": "app_01m1e34wg8c5k5kgvhzdd4th4m",
                     *           "projectId": "proj_01m1e34thrvetvggrrhzg38y99",
                     *           "name": "Stargazer",
                     *           "platform": "android",
                     *           "store": "android-store",
                     *           "packageName": "com.example.stargazer",
                     *           "notificationUrl": "https://subledger.example.com/v1/store/android-store/ZiCF9QMJygNgsWicr90SK149l0mrXPlC7i0CLeftFtM",
                     *           "notificationForwardingUrl": null,
                     *           "refundPolicy": "revoke_immediately",
                     *           "iosStoreSmallBusiness": false,
                     *           "refundAnswer": "none",
                     *           "refundConsent": "each_customer",
                     *           "createdAt": "2026-09-01T09:00:05.000Z",
                     *           "updatedAt": "2026-09-01T09:00:05.000Z"
                     *         },
                     *         {
                     *           "object": "app",
                     *           "id": "app_01m1e34vh0355004ctz5a08x5m",
                     *           "projectId": "proj_01m1e34thrvetvggrrhzg38y99",
                     *           "name": "Stargazer for iOS",
                     *           "platform": "ios",
                     *           "store": "ios-store",
                     *           "bundleId": "com.example.stargazer",
                     *           "storeAppId": null,
                     *           "notificationUrl": "https://subledger.example.com/v1/store/ios-store/Xh4yR2dZDEohDYj8r0VnaPYM5JK8UBgLZVFiSgoIpsy",
                     *           "notificationForwardingUrl": null,
                     *           "refundPolicy": "revoke_immediately",
                     *           "iosStoreSmallBusiness": true,
                     *           "refundAnswer": "none",
                     *           "refundConsent": "each_customer",
                     *           "createdAt": "2026-09-01T09:00:04.000Z",
                     *           "updatedAt": "2026-09-01T09:00:07.000Z"
                     *         }
                     *       ],
                     *       "nextPage": null,
                     *       "url": "/v1/projects/proj_01m1e34thrvetvggrrhzg38y99/apps"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["App"][];
                        /** @description Path and query of the next page; null on the last one. */
                        nextPage: string | null;
                        /** @constant */
                        object: "list";
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    registerApp: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Stargazer iOS",
                 *       "platform": "ios",
                 *       "bundleId": "com.example.stargazer"
                 *     }
                 */
                "application/json": components["schemas"]["RegisterAppBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "app",
                     *       "id": "app_01m7w6d0hg6b7e3ra2f22qvhdw",
                     *       "projectId": "proj_01m1e34thrvetvggrrhzg38y99",
                     *       "name": "Stargazer test",
                     *       "platform": "test",
                     *       "store": "test-store",
                     *       "notificationUrl": null,
                     *       "notificationForwardingUrl": null,
                     *       "refundPolicy": "revoke_immediately",
                     *       "iosStoreSmallBusiness": false,
                     *       "refundAnswer": "none",
                     *       "refundConsent": "each_customer",
                     *       "createdAt": "2026-11-20T10:00:30.000Z",
                     *       "updatedAt": "2026-11-20T10:00:30.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["App"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAppDetails: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description App id (`app_…`). */
                appId: string;
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "app",
                     *       "id": "app_01m1e34vh0355004ctz5a08x5m",
                     *       "projectId": "proj_01m1e34thrvetvggrrhzg38y99",
                     *       "name": "Stargazer for iOS",
                     *       "platform": "ios",
                     *       "store": "ios-store",
                     *       "bundleId": "com.example.stargazer",
                     *       "storeAppId": null,
                     *       "notificationUrl": "https://subledger.example.com/v1/store/ios-store/Xh4yR2dZDEohDYj8r0VnaPYM5JK8UBgLZVFiSgoIpsy",
                     *       "notificationForwardingUrl": null,
                     *       "refundPolicy": "revoke_immediately",
                     *       "iosStoreSmallBusiness": true,
                     *       "refundAnswer": "none",
                     *       "refundConsent": "each_customer",
                     *       "createdAt": "2026-09-01T09:00:04.000Z",
                     *       "updatedAt": "2026-09-01T09:00:07.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["App"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteApp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description App id (`app_…`). */
                appId: string;
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "app",
                     *       "id": "app_01m1e34wg8c5k5kgvhzdd4th4m",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        deleted: true;
                        id: string;
                        /** @constant */
                        object: "app";
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateAppSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description App id (`app_…`). */
                appId: string;
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "refundPolicy": "keep_until_expiry",
                 *       "iosStoreSmallBusiness": true
                 *     }
                 */
                "application/json": components["schemas"]["UpdateAppSettingsBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "app",
                     *       "id": "app_01m1e34vh0355004ctz5a08x5m",
                     *       "projectId": "proj_01m1e34thrvetvggrrhzg38y99",
                     *       "name": "Stargazer for iOS",
                     *       "platform": "ios",
                     *       "store": "ios-store",
                     *       "bundleId": "com.example.stargazer",
                     *       "storeAppId": null,
                     *       "notificationUrl": "https://subledger.example.com/v1/store/ios-store/Xh4yR2dZDEohDYj8r0VnaPYM5JK8UBgLZVFiSgoIpsy",
                     *       "notificationForwardingUrl": null,
                     *       "refundPolicy": "revoke_immediately",
                     *       "iosStoreSmallBusiness": true,
                     *       "refundAnswer": "none",
                     *       "refundConsent": "each_customer",
                     *       "createdAt": "2026-09-01T09:00:04.000Z",
                     *       "updatedAt": "2026-09-01T09:00:07.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["App"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteCredentials: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description App id (`app_…`). */
                appId: string;
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "appCredentials",
                     *       "id": "app_01m1e34vh0355004ctz5a08x5m",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        deleted: true;
                        id: string;
                        /** @constant */
                        object: "appCredentials";
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    registerAndroidStoreCredentials: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description App id (`app_…`). */
                appId: string;
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterAndroidStoreCredentialsBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "appCredentials",
                     *       "store": "android-store",
                     *       "configured": true,
                     *       "clientEmail": "subledger@stargazer.iam.gserviceaccount.com",
                     *       "createdAt": "2026-09-18T06:30:07.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["AndroidCredentials"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    registerIosStoreCredentials: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description App id (`app_…`). */
                appId: string;
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterIosStoreCredentialsBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "appCredentials",
                     *       "store": "ios-store",
                     *       "configured": true,
                     *       "keyId": "2X9R4HXF34",
                     *       "createdAt": "2026-09-01T09:00:06.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["IosCredentials"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCredentialsAndNotificationStatus: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description App id (`app_…`). */
                appId: string;
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "credentialsStatus",
                     *       "store": "ios-store",
                     *       "configured": true,
                     *       "valid": true,
                     *       "lastCheckedAt": "2026-11-20T07:12:40.000Z",
                     *       "lastError": null,
                     *       "notifications": {
                     *         "url": "https://subledger.example.com/v1/store/ios-store/Xh4yR2dZDEohDYj8r0VnaPYM5JK8UBgLZVFiSgoIpsy",
                     *         "lastReceivedAt": "2026-11-20T07:12:41.000Z",
                     *         "lastTestAt": null,
                     *         "last24h": {
                     *           "received": 1,
                     *           "processed": 1,
                     *           "refused": 0
                     *         },
                     *         "forwarding": {
                     *           "url": null,
                     *           "lastStatus": null,
                     *           "lastAt": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CredentialsStatus"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    checkWhetherNotificationAddressCanBeReached: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description App id (`app_…`). */
                appId: string;
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "notificationCheck",
                     *       "address": "http://127.0.0.1:3000",
                     *       "verdict": "loopback",
                     *       "sentence": "http://127.0.0.1:3000 is a loopback address: only this machine reaches it. Set PUBLIC_URL to the https:// address at which the internet reaches this service."
                     *     }
                     */
                    "application/json": components["schemas"]["NotificationCheck"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    simulatePurchaseOfTestApp: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description App id (`app_…`). */
                appId: string;
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "productId": "prod_01jcy2q4m8v0c6r1t5w9x3z7ab",
                 *       "appUserId": "ann"
                 *     }
                 */
                "application/json": components["schemas"]["SimulatePurchaseOfTestAppBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "testPurchase",
                     *       "appUserId": "frida",
                     *       "customerId": "cus_fnebcpv6zfc0ypy3x0jnc34jmq",
                     *       "transactionId": "test_1795168835000_df6134f8-ed67-58f1-a0f0-dfaa71ec24fb",
                     *       "storeProductId": "pro_monthly"
                     *     }
                     */
                    "application/json": components["schemas"]["TestPurchase"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listChanges: {
        parameters: {
            query?: {
                actor?: string;
                limit?: number;
                since?: string;
                startingAfter?: string;
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [
                     *         {
                     *           "object": "change",
                     *           "id": "b1e09312-7c96-52d1-a412-65b7ce3f2fe0",
                     *           "at": "2026-11-20T10:00:48.000Z",
                     *           "action": "MemberRoleChanged",
                     *           "before": {
                     *             "role": "support"
                     *           },
                     *           "after": {
                     *             "role": "analyst"
                     *           },
                     *           "actor": {
                     *             "kind": "user",
                     *             "id": "usr_01m1e34rk824ed3rrvxdvkdqjm",
                     *             "name": "Ada"
                     *           },
                     *           "target": {
                     *             "kind": "member",
                     *             "id": "usr_01m7w6df68wewfqywcptavfscr",
                     *             "name": "Grace",
                     *             "customerId": null
                     *           }
                     *         },
                     *         {
                     *           "object": "change",
                     *           "id": "a6718059-c10f-512e-a76d-168d47ea608f",
                     *           "at": "2026-11-20T10:00:47.000Z",
                     *           "action": "MemberInvited",
                     *           "before": null,
                     *           "after": {
                     *             "email": "linus@example.com",
                     *             "role": "viewer",
                     *             "expiresAt": "2026-11-27T10:00:47.000Z"
                     *           },
                     *           "actor": {
                     *             "kind": "user",
                     *             "id": "usr_01m1e34rk824ed3rrvxdvkdqjm",
                     *             "name": "Ada"
                     *           },
                     *           "target": {
                     *             "kind": "invitation",
                     *             "id": "inv_01m7w6dh4rmfajhccsdhg23tpx",
                     *             "name": "linus@example.com",
                     *             "customerId": null
                     *           }
                     *         },
                     *         {
                     *           "object": "change",
                     *           "id": "0ba8b405-3912-59f7-ac21-5cba01bc9ba2",
                     *           "at": "2026-11-20T10:00:46.000Z",
                     *           "action": "MemberJoined",
                     *           "before": null,
                     *           "after": {
                     *             "role": "support",
                     *             "invitationId": "inv_01m7w6de70zm1w4xnxx4n24k2d"
                     *           },
                     *           "actor": {
                     *             "kind": "user",
                     *             "id": "usr_01m7w6df68wewfqywcptavfscr",
                     *             "name": "Grace"
                     *           },
                     *           "target": {
                     *             "kind": "member",
                     *             "id": "usr_01m7w6df68wewfqywcptavfscr",
                     *             "name": "Grace",
                     *             "customerId": null
                     *           }
                     *         }
                     *       ],
                     *       "nextPage": "/v1/projects/proj_01m1e34thrvetvggrrhzg38y99/audit?startingAfter=0ba8b405-3912-59f7-ac21-5cba01bc9ba2&limit=3",
                     *       "url": "/v1/projects/proj_01m1e34thrvetvggrrhzg38y99/audit"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Change"][];
                        /** @description Path and query of the next page; null on the last one. */
                        nextPage: string | null;
                        /** @constant */
                        object: "list";
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getMonthsOfBooks: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "books",
                     *       "months": [
                     *         {
                     *           "month": "2026-11",
                     *           "state": "open",
                     *           "tables": [
                     *             {
                     *               "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *               "currency": "USD",
                     *               "ours": {
                     *                 "charged": "9.99",
                     *                 "refunded": "9.99",
                     *                 "tax": "0.00",
                     *                 "fee": "0.00",
                     *                 "proceeds": "0.00"
                     *               },
                     *               "store": {
                     *                 "charged": "0.00",
                     *                 "refunded": "0.00",
                     *                 "tax": "0.00",
                     *                 "fee": "0.00",
                     *                 "proceeds": "0.00"
                     *               },
                     *               "difference": {
                     *                 "charged": "-9.99",
                     *                 "refunded": "-9.99",
                     *                 "tax": "0.00",
                     *                 "fee": "0.00",
                     *                 "proceeds": "0.00"
                     *               },
                     *               "causes": [
                     *                 {
                     *                   "cause": "awaiting_report",
                     *                   "entries": 2,
                     *                   "difference": {
                     *                     "charged": "-9.99",
                     *                     "refunded": "-9.99",
                     *                     "tax": "0.00",
                     *                     "fee": "0.00",
                     *                     "proceeds": "0.00"
                     *                   }
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "reports": 0
                     *         },
                     *         {
                     *           "month": "2026-10",
                     *           "state": "open",
                     *           "tables": [
                     *             {
                     *               "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *               "currency": "USD",
                     *               "ours": {
                     *                 "charged": "9.99",
                     *                 "refunded": "0.00",
                     *                 "tax": "0.00",
                     *                 "fee": "1.50",
                     *                 "proceeds": "8.49"
                     *               },
                     *               "store": {
                     *                 "charged": "9.99",
                     *                 "refunded": "0.00",
                     *                 "tax": "0.00",
                     *                 "fee": "1.50",
                     *                 "proceeds": "8.49"
                     *               },
                     *               "difference": {
                     *                 "charged": "0.00",
                     *                 "refunded": "0.00",
                     *                 "tax": "0.00",
                     *                 "fee": "0.00",
                     *                 "proceeds": "0.00"
                     *               },
                     *               "causes": [
                     *                 {
                     *                   "cause": "awaiting_report",
                     *                   "entries": 1,
                     *                   "difference": {
                     *                     "charged": "-9.99",
                     *                     "refunded": "0.00",
                     *                     "tax": "0.00",
                     *                     "fee": "-1.50",
                     *                     "proceeds": "-8.49"
                     *                   }
                     *                 },
                     *                 {
                     *                   "cause": "missing_here",
                     *                   "entries": 1,
                     *                   "difference": {
                     *                     "charged": "9.99",
                     *                     "refunded": "0.00",
                     *                     "tax": "0.00",
                     *                     "fee": "1.50",
                     *                     "proceeds": "8.49"
                     *                   }
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "reports": 1
                     *         },
                     *         {
                     *           "month": "2026-09",
                     *           "state": "open",
                     *           "tables": [
                     *             {
                     *               "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *               "currency": "USD",
                     *               "ours": {
                     *                 "charged": "19.98",
                     *                 "refunded": "0.00",
                     *                 "tax": "0.00",
                     *                 "fee": "3.00",
                     *                 "proceeds": "16.98"
                     *               },
                     *               "store": {
                     *                 "charged": "0.00",
                     *                 "refunded": "0.00",
                     *                 "tax": "0.00",
                     *                 "fee": "0.00",
                     *                 "proceeds": "0.00"
                     *               },
                     *               "difference": {
                     *                 "charged": "-19.98",
                     *                 "refunded": "0.00",
                     *                 "tax": "0.00",
                     *                 "fee": "-3.00",
                     *                 "proceeds": "-16.98"
                     *               },
                     *               "causes": [
                     *                 {
                     *                   "cause": "awaiting_report",
                     *                   "entries": 2,
                     *                   "difference": {
                     *                     "charged": "-19.98",
                     *                     "refunded": "0.00",
                     *                     "tax": "0.00",
                     *                     "fee": "-3.00",
                     *                     "proceeds": "-16.98"
                     *                   }
                     *                 }
                     *               ]
                     *             },
                     *             {
                     *               "appId": "app_01m1e34wg8c5k5kgvhzdd4th4m",
                     *               "currency": "USD",
                     *               "ours": {
                     *                 "charged": "9.99",
                     *                 "refunded": "0.00",
                     *                 "tax": "0.00",
                     *                 "fee": "1.50",
                     *                 "proceeds": "8.49"
                     *               },
                     *               "store": {
                     *                 "charged": "0.00",
                     *                 "refunded": "0.00",
                     *                 "tax": "0.00",
                     *                 "fee": "0.00",
                     *                 "proceeds": "0.00"
                     *               },
                     *               "difference": {
                     *                 "charged": "-9.99",
                     *                 "refunded": "0.00",
                     *                 "tax": "0.00",
                     *                 "fee": "-1.50",
                     *                 "proceeds": "-8.49"
                     *               },
                     *               "causes": [
                     *                 {
                     *                   "cause": "awaiting_report",
                     *                   "entries": 1,
                     *                   "difference": {
                     *                     "charged": "-9.99",
                     *                     "refunded": "0.00",
                     *                     "tax": "0.00",
                     *                     "fee": "-1.50",
                     *                     "proceeds": "-8.49"
                     *                   }
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "reports": 0
                     *         },
                     *         {
                     *           "month": "2026-08",
                     *           "state": "empty",
                     *           "tables": [],
                     *           "reports": 0
                     *         },
                     *         {
                     *           "month": "2026-07",
                     *           "state": "empty",
                     *           "tables": [],
                     *           "reports": 0
                     *         },
                     *         {
                     *           "month": "2026-06",
                     *           "state": "empty",
                     *           "tables": [],
                     *           "reports": 0
                     *         },
                     *         {
                     *           "month": "2026-05",
                     *           "state": "empty",
                     *           "tables": [],
                     *           "reports": 0
                     *         },
                     *         {
                     *           "month": "2026-04",
                     *           "state": "empty",
                     *           "tables": [],
                     *           "reports": 0
                     *         },
                     *         {
                     *           "month": "2026-03",
                     *           "state": "empty",
                     *           "tables": [],
                     *           "reports": 0
                     *         },
                     *         {
                     *           "month": "2026-02",
                     *           "state": "empty",
                     *           "tables": [],
                     *           "reports": 0
                     *         },
                     *         {
                     *           "month": "2026-01",
                     *           "state": "empty",
                     *           "tables": [],
                     *           "reports": 0
                     *         },
                     *         {
                     *           "month": "2025-12",
                     *           "state": "empty",
                     *           "tables": [],
                     *           "reports": 0
                     *         },
                     *         {
                     *           "month": "2025-11",
                     *           "state": "empty",
                     *           "tables": [],
                     *           "reports": 0
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        months: {
                            /**
                             * @description A large month that is being compared with newer facts: ask again. Omitted for a result that has them all.
                             * @constant
                             */
                            isOutdated?: true;
                            /** @description `yyyy-mm`. */
                            month: string;
                            reports: number;
                            /**
                             * @description `open`: it has not ended, a report is missing, or purchases wait for one. `complete`: nothing waits. `empty`: no purchase. `closed`: its figures are frozen; see `…/closing`.
                             * @enum {string}
                             */
                            state: "empty" | "open" | "complete" | "closed";
                            tables: {
                                /** @description Null: of no app of the project. */
                                appId: string | null;
                                causes: {
                                    /** @enum {string} */
                                    cause: "matched" | "timing" | "awaiting_report" | "partial_refund" | "price" | "tax" | "commission" | "free" | "missing_here" | "missing_there" | "not_collected" | "double" | "other_app" | "unexplained";
                                    difference: {
                                        /** @description Omitted for callers who may not see money. */
                                        charged?: string;
                                        /** @description Omitted for callers who may not see money. */
                                        fee?: string;
                                        /** @description Omitted for callers who may not see money. */
                                        proceeds?: string;
                                        /** @description Omitted for callers who may not see money. */
                                        refunded?: string;
                                        /** @description Omitted for callers who may not see money. */
                                        tax?: string;
                                    };
                                    entries: number;
                                }[];
                                /** @description The buyers’ currency. */
                                currency: string;
                                /** @description `store` less `ours`: the sum of the differences of all causes. */
                                difference: {
                                    /** @description Omitted for callers who may not see money. */
                                    charged?: string;
                                    /** @description Omitted for callers who may not see money. */
                                    fee?: string;
                                    /** @description Omitted for callers who may not see money. */
                                    proceeds?: string;
                                    /** @description Omitted for callers who may not see money. */
                                    refunded?: string;
                                    /** @description Omitted for callers who may not see money. */
                                    tax?: string;
                                };
                                ours: {
                                    /** @description Omitted for callers who may not see money. */
                                    charged?: string;
                                    /** @description Omitted for callers who may not see money. */
                                    fee?: string;
                                    /** @description Omitted for callers who may not see money. */
                                    proceeds?: string;
                                    /** @description Omitted for callers who may not see money. */
                                    refunded?: string;
                                    /** @description Omitted for callers who may not see money. */
                                    tax?: string;
                                };
                                store: {
                                    /** @description Omitted for callers who may not see money. */
                                    charged?: string;
                                    /** @description Omitted for callers who may not see money. */
                                    fee?: string;
                                    /** @description Omitted for callers who may not see money. */
                                    proceeds?: string;
                                    /** @description Omitted for callers who may not see money. */
                                    refunded?: string;
                                    /** @description Omitted for callers who may not see money. */
                                    tax?: string;
                                };
                            }[];
                        }[];
                        /** @constant */
                        object: "books";
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getMonthOfBooks: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Month, `yyyy-mm`. */
                month: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "books_month",
                     *       "month": "2026-10",
                     *       "state": "open",
                     *       "tables": [
                     *         {
                     *           "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *           "currency": "USD",
                     *           "ours": {
                     *             "charged": "9.99",
                     *             "refunded": "0.00",
                     *             "tax": "0.00",
                     *             "fee": "1.50",
                     *             "proceeds": "8.49"
                     *           },
                     *           "store": {
                     *             "charged": "9.99",
                     *             "refunded": "0.00",
                     *             "tax": "0.00",
                     *             "fee": "1.50",
                     *             "proceeds": "8.49"
                     *           },
                     *           "difference": {
                     *             "charged": "0.00",
                     *             "refunded": "0.00",
                     *             "tax": "0.00",
                     *             "fee": "0.00",
                     *             "proceeds": "0.00"
                     *           },
                     *           "causes": [
                     *             {
                     *               "cause": "awaiting_report",
                     *               "entries": 1,
                     *               "difference": {
                     *                 "charged": "-9.99",
                     *                 "refunded": "0.00",
                     *                 "tax": "0.00",
                     *                 "fee": "-1.50",
                     *                 "proceeds": "-8.49"
                     *               }
                     *             },
                     *             {
                     *               "cause": "missing_here",
                     *               "entries": 1,
                     *               "difference": {
                     *                 "charged": "9.99",
                     *                 "refunded": "0.00",
                     *                 "tax": "0.00",
                     *                 "fee": "1.50",
                     *                 "proceeds": "8.49"
                     *               }
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "periods": [
                     *         {
                     *           "kind": "earnings",
                     *           "startDate": "2026-10-01",
                     *           "endDate": "2026-10-31"
                     *         },
                     *         {
                     *           "kind": "finance_detail",
                     *           "startDate": "2026-09-27",
                     *           "endDate": "2026-10-31"
                     *         }
                     *       ],
                     *       "reports": [
                     *         {
                     *           "object": "store_report",
                     *           "id": "rep_f5y58rs8gkh46qc44yykp092as",
                     *           "kind": "finance_detail",
                     *           "store": "ios-store",
                     *           "account": "81234567",
                     *           "month": "2026-10",
                     *           "startDate": "2026-09-27",
                     *           "endDate": "2026-10-31",
                     *           "fileName": "81234567_1026_Z1.txt",
                     *           "sha256": "e9d10f4dc62d942a8850218c07010b7514850735c281898035451071a1abf4b8",
                     *           "lines": 1,
                     *           "isCounted": true,
                     *           "totals": [
                     *             {
                     *               "type": "S",
                     *               "currency": "USD",
                     *               "amount": "8.49",
                     *               "lines": 1
                     *             }
                     *           ],
                     *           "unknownColumns": [
                     *             "Apple Identifier",
                     *             "Title",
                     *             "Developer Name",
                     *             "Product Type Identifier",
                     *             "Promo Code",
                     *             "Order Type",
                     *             "Region"
                     *           ],
                     *           "receivedAt": "2026-11-20T10:00:37.000Z"
                     *         }
                     *       ],
                     *       "paid": [
                     *         {
                     *           "account": "81234567",
                     *           "currency": "USD",
                     *           "type": "S",
                     *           "lines": 1,
                     *           "kind": "finance_detail",
                     *           "amount": "8.49"
                     *         }
                     *       ],
                     *       "closing": null
                     *     }
                     */
                    "application/json": components["schemas"]["BooksMonth"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    closeMonthOfBooks: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Month, `yyyy-mm`. */
                month: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "incompleteReason": "The last purchases are settled in the next report."
                 *     }
                 */
                "application/json": components["schemas"]["CloseMonthOfBooksBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "month_closing",
                     *       "month": "2026-10",
                     *       "state": "closed",
                     *       "closing": {
                     *         "number": 1,
                     *         "closedAt": "2026-11-20T10:00:40.000Z",
                     *         "closedBy": {
                     *           "kind": "api_key",
                     *           "id": "key_01m1e35g18jknn0y2rr34mgax2",
                     *           "name": "server"
                     *         },
                     *         "incompleteReason": "The last purchases are settled in the next report."
                     *       },
                     *       "tables": [
                     *         {
                     *           "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *           "currency": "USD",
                     *           "asClosed": {
                     *             "ours": {
                     *               "charged": "9.99",
                     *               "refunded": "0.00",
                     *               "tax": "0.00",
                     *               "fee": "1.50",
                     *               "proceeds": "8.49"
                     *             },
                     *             "store": {
                     *               "charged": "9.99",
                     *               "refunded": "0.00",
                     *               "tax": "0.00",
                     *               "fee": "1.50",
                     *               "proceeds": "8.49"
                     *             },
                     *             "difference": {
                     *               "charged": "0.00",
                     *               "refunded": "0.00",
                     *               "tax": "0.00",
                     *               "fee": "0.00",
                     *               "proceeds": "0.00"
                     *             }
                     *           },
                     *           "asKnownNow": {
                     *             "ours": {
                     *               "charged": "9.99",
                     *               "refunded": "0.00",
                     *               "tax": "0.00",
                     *               "fee": "1.50",
                     *               "proceeds": "8.49"
                     *             },
                     *             "store": {
                     *               "charged": "9.99",
                     *               "refunded": "0.00",
                     *               "tax": "0.00",
                     *               "fee": "1.50",
                     *               "proceeds": "8.49"
                     *             },
                     *             "difference": {
                     *               "charged": "0.00",
                     *               "refunded": "0.00",
                     *               "tax": "0.00",
                     *               "fee": "0.00",
                     *               "proceeds": "0.00"
                     *             }
                     *           },
                     *           "corrections": {
                     *             "ours": {
                     *               "charged": "0.00",
                     *               "refunded": "0.00",
                     *               "tax": "0.00",
                     *               "fee": "0.00",
                     *               "proceeds": "0.00"
                     *             },
                     *             "store": {
                     *               "charged": "0.00",
                     *               "refunded": "0.00",
                     *               "tax": "0.00",
                     *               "fee": "0.00",
                     *               "proceeds": "0.00"
                     *             },
                     *             "difference": {
                     *               "charged": "0.00",
                     *               "refunded": "0.00",
                     *               "tax": "0.00",
                     *               "fee": "0.00",
                     *               "proceeds": "0.00"
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "corrections": []
                     *     }
                     */
                    "application/json": components["schemas"]["MonthClosing"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getMonthAsClosedAndAsKnownNow: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Month, `yyyy-mm`. */
                month: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "month_closing",
                     *       "month": "2026-10",
                     *       "state": "closed",
                     *       "closing": {
                     *         "number": 1,
                     *         "closedAt": "2026-11-20T10:00:40.000Z",
                     *         "closedBy": {
                     *           "kind": "api_key",
                     *           "id": "key_01m1e35g18jknn0y2rr34mgax2",
                     *           "name": "server"
                     *         },
                     *         "incompleteReason": "The last purchases are settled in the next report."
                     *       },
                     *       "tables": [
                     *         {
                     *           "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *           "currency": "USD",
                     *           "asClosed": {
                     *             "ours": {
                     *               "charged": "9.99",
                     *               "refunded": "0.00",
                     *               "tax": "0.00",
                     *               "fee": "1.50",
                     *               "proceeds": "8.49"
                     *             },
                     *             "store": {
                     *               "charged": "9.99",
                     *               "refunded": "0.00",
                     *               "tax": "0.00",
                     *               "fee": "1.50",
                     *               "proceeds": "8.49"
                     *             },
                     *             "difference": {
                     *               "charged": "0.00",
                     *               "refunded": "0.00",
                     *               "tax": "0.00",
                     *               "fee": "0.00",
                     *               "proceeds": "0.00"
                     *             }
                     *           },
                     *           "asKnownNow": {
                     *             "ours": {
                     *               "charged": "9.99",
                     *               "refunded": "0.00",
                     *               "tax": "0.00",
                     *               "fee": "1.50",
                     *               "proceeds": "8.49"
                     *             },
                     *             "store": {
                     *               "charged": "9.99",
                     *               "refunded": "0.00",
                     *               "tax": "0.00",
                     *               "fee": "1.50",
                     *               "proceeds": "8.49"
                     *             },
                     *             "difference": {
                     *               "charged": "0.00",
                     *               "refunded": "0.00",
                     *               "tax": "0.00",
                     *               "fee": "0.00",
                     *               "proceeds": "0.00"
                     *             }
                     *           },
                     *           "corrections": {
                     *             "ours": {
                     *               "charged": "0.00",
                     *               "refunded": "0.00",
                     *               "tax": "0.00",
                     *               "fee": "0.00",
                     *               "proceeds": "0.00"
                     *             },
                     *             "store": {
                     *               "charged": "0.00",
                     *               "refunded": "0.00",
                     *               "tax": "0.00",
                     *               "fee": "0.00",
                     *               "proceeds": "0.00"
                     *             },
                     *             "difference": {
                     *               "charged": "0.00",
                     *               "refunded": "0.00",
                     *               "tax": "0.00",
                     *               "fee": "0.00",
                     *               "proceeds": "0.00"
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "corrections": []
                     *     }
                     */
                    "application/json": components["schemas"]["MonthClosing"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listComparisonsThatChangedSinceClosing: {
        parameters: {
            query?: {
                limit?: number;
                startingAfter?: string;
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Month, `yyyy-mm`. */
                month: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [],
                     *       "nextPage": null,
                     *       "url": "/v1/projects/proj_01m1e34thrvetvggrrhzg38y99/books/2026-10/corrections"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["BookCorrection"][];
                        /** @description Path and query of the next page; null on the last one. */
                        nextPage: string | null;
                        /** @constant */
                        object: "list";
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportJournalOfMonth: {
        parameters: {
            query?: {
                format?: "csv" | "xero" | "beancount";
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Month, `yyyy-mm`. */
                month: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "books_journal",
                     *       "month": "2026-10",
                     *       "entries": [
                     *         {
                     *           "id": "2026-10-app_01m1e34vh0355004ctz5a08x5m-USD-recognition",
                     *           "date": "2026-10-31",
                     *           "memo": "Revenue recognised 2026-10",
                     *           "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *           "currency": "USD",
                     *           "lines": [
                     *             {
                     *               "account": "deferredRevenue",
                     *               "debit": "12.97",
                     *               "credit": "0.00"
                     *             },
                     *             {
                     *               "account": "revenue",
                     *               "debit": "0.00",
                     *               "credit": "12.97"
                     *             }
                     *           ]
                     *         },
                     *         {
                     *           "id": "2026-10-app_01m1e34vh0355004ctz5a08x5m-USD-sales",
                     *           "date": "2026-10-31",
                     *           "memo": "Sales 2026-10",
                     *           "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *           "currency": "USD",
                     *           "lines": [
                     *             {
                     *               "account": "receivable",
                     *               "debit": "8.49",
                     *               "credit": "0.00"
                     *             },
                     *             {
                     *               "account": "storeFees",
                     *               "debit": "1.50",
                     *               "credit": "0.00"
                     *             },
                     *             {
                     *               "account": "deferredRevenue",
                     *               "debit": "0.00",
                     *               "credit": "9.99"
                     *             }
                     *           ]
                     *         },
                     *         {
                     *           "id": "2026-10-app_01m1e34wg8c5k5kgvhzdd4th4m-USD-recognition",
                     *           "date": "2026-10-31",
                     *           "memo": "Revenue recognised 2026-10",
                     *           "appId": "app_01m1e34wg8c5k5kgvhzdd4th4m",
                     *           "currency": "USD",
                     *           "lines": [
                     *             {
                     *               "account": "deferredRevenue",
                     *               "debit": "3.41",
                     *               "credit": "0.00"
                     *             },
                     *             {
                     *               "account": "revenue",
                     *               "debit": "0.00",
                     *               "credit": "3.41"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["BooksJournal"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listComparisonsOfMonth: {
        parameters: {
            query?: {
                appId?: string;
                cause?: "matched" | "timing" | "awaiting_report" | "partial_refund" | "price" | "tax" | "commission" | "free" | "missing_here" | "missing_there" | "not_collected" | "double" | "other_app" | "unexplained";
                currency?: string;
                limit?: number;
                startingAfter?: string;
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Month, `yyyy-mm`. */
                month: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [
                     *         {
                     *           "object": "book_entry",
                     *           "id": "0",
                     *           "kind": "charge",
                     *           "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *           "day": "2026-10-05",
                     *           "sku": "com.example.stargazer.pro.month",
                     *           "country": "US",
                     *           "count": 1,
                     *           "orderId": null,
                     *           "cause": "missing_here",
                     *           "otherMonth": null,
                     *           "currency": "USD",
                     *           "labels": [],
                     *           "rows": [
                     *             {
                     *               "reportId": "rep_f5y58rs8gkh46qc44yykp092as",
                     *               "row": 5
                     *             }
                     *           ],
                     *           "ours": null,
                     *           "store": {
                     *             "charged": "9.99",
                     *             "refunded": "0.00",
                     *             "tax": "0.00",
                     *             "fee": "1.50",
                     *             "proceeds": "8.49"
                     *           },
                     *           "transactions": []
                     *         },
                     *         {
                     *           "object": "book_entry",
                     *           "id": "1",
                     *           "cause": "awaiting_report",
                     *           "kind": "charge",
                     *           "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *           "day": "2026-10-02",
                     *           "sku": "com.example.stargazer.pro.month",
                     *           "country": "DE",
                     *           "count": 1,
                     *           "orderId": null,
                     *           "otherMonth": null,
                     *           "currency": "USD",
                     *           "labels": [],
                     *           "rows": [],
                     *           "ours": {
                     *             "charged": "9.99",
                     *             "refunded": "0.00",
                     *             "tax": "0.00",
                     *             "fee": "1.50",
                     *             "proceeds": "8.49"
                     *           },
                     *           "store": null,
                     *           "transactions": [
                     *             {
                     *               "transactionId": "2000000123460001",
                     *               "customerId": "cus_txz8hs5cq162pz7g310v8j6dt8"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "nextPage": null,
                     *       "url": "/v1/projects/proj_01m1e34thrvetvggrrhzg38y99/books/2026-10/lines"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["BookEntry"][];
                        /** @description Path and query of the next page; null on the last one. */
                        nextPage: string | null;
                        /** @constant */
                        object: "list";
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    reopenClosedMonth: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Month, `yyyy-mm`. */
                month: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "The store restated its report."
                 *     }
                 */
                "application/json": components["schemas"]["ReopenClosedMonthBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "month_closing",
                     *       "month": "2026-10",
                     *       "state": "open",
                     *       "closing": null,
                     *       "tables": [],
                     *       "corrections": []
                     *     }
                     */
                    "application/json": components["schemas"]["MonthClosing"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAccountsOfJournal: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "books_accounts",
                     *       "accounts": {
                     *         "receivable": {
                     *           "code": "1200",
                     *           "name": "Assets:Receivable:Stores"
                     *         },
                     *         "deferredRevenue": {
                     *           "code": "2400",
                     *           "name": "Liabilities:Deferred-Revenue"
                     *         },
                     *         "revenue": {
                     *           "code": "4000",
                     *           "name": "Income:Revenue"
                     *         },
                     *         "refunds": {
                     *           "code": "4900",
                     *           "name": "Income:Refunds"
                     *         },
                     *         "storeFees": {
                     *           "code": "5000",
                     *           "name": "Expenses:Store-Fees"
                     *         },
                     *         "tax": {
                     *           "code": "2200",
                     *           "name": "Liabilities:Tax-Paid-By-Stores"
                     *         },
                     *         "exchangeDifference": {
                     *           "code": "7000",
                     *           "name": "Expenses:Exchange-Difference"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["BooksAccounts"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    setAccountsOfJournal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "accounts": {
                 *         "revenue": {
                 *           "code": "4000",
                 *           "name": "Income:Revenue"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SetAccountsOfJournalBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "books_accounts",
                     *       "accounts": {
                     *         "receivable": {
                     *           "code": "1200",
                     *           "name": "Assets:Receivable:Stores"
                     *         },
                     *         "storeFees": {
                     *           "code": "5000",
                     *           "name": "Expenses:Store-Fees"
                     *         },
                     *         "tax": {
                     *           "code": "2200",
                     *           "name": "Liabilities:Tax-Paid-By-Stores"
                     *         },
                     *         "deferredRevenue": {
                     *           "code": "2400",
                     *           "name": "Liabilities:Deferred-Revenue"
                     *         },
                     *         "revenue": {
                     *           "code": "4010",
                     *           "name": "Income:Subscriptions"
                     *         },
                     *         "refunds": {
                     *           "code": "4900",
                     *           "name": "Income:Refunds"
                     *         },
                     *         "exchangeDifference": {
                     *           "code": "7000",
                     *           "name": "Expenses:Exchange-Difference"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["BooksAccounts"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listFinancialReportsOfStores: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [
                     *         {
                     *           "object": "store_report",
                     *           "id": "rep_f5y58rs8gkh46qc44yykp092as",
                     *           "kind": "finance_detail",
                     *           "store": "ios-store",
                     *           "account": "81234567",
                     *           "month": "2026-10",
                     *           "startDate": "2026-09-27",
                     *           "endDate": "2026-10-31",
                     *           "fileName": "81234567_1026_Z1.txt",
                     *           "sha256": "e9d10f4dc62d942a8850218c07010b7514850735c281898035451071a1abf4b8",
                     *           "lines": 1,
                     *           "isCounted": true,
                     *           "totals": [
                     *             {
                     *               "type": "S",
                     *               "currency": "USD",
                     *               "amount": "8.49",
                     *               "lines": 1
                     *             }
                     *           ],
                     *           "unknownColumns": [
                     *             "Apple Identifier",
                     *             "Title",
                     *             "Developer Name",
                     *             "Product Type Identifier",
                     *             "Promo Code",
                     *             "Order Type",
                     *             "Region"
                     *           ],
                     *           "receivedAt": "2026-11-20T10:00:37.000Z"
                     *         }
                     *       ],
                     *       "nextPage": null,
                     *       "url": "/v1/projects/proj_01m1e34thrvetvggrrhzg38y99/books/reports"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["StoreReport"][];
                        /** @description Path and query of the next page; null on the last one. */
                        nextPage: string | null;
                        /** @constant */
                        object: "list";
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    addFinancialReportOfStore: {
        parameters: {
            query: {
                /** @description Needed unless the name of the file is of the store’s own form, or it is a sales report, which is of all accounts then. */
                account?: string;
                fileName: string;
            };
            header?: never;
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "store_report",
                     *       "id": "rep_f5y58rs8gkh46qc44yykp092as",
                     *       "kind": "finance_detail",
                     *       "store": "ios-store",
                     *       "account": "81234567",
                     *       "month": "2026-10",
                     *       "startDate": "2026-09-27",
                     *       "endDate": "2026-10-31",
                     *       "fileName": "81234567_1026_Z1.txt",
                     *       "sha256": "e9d10f4dc62d942a8850218c07010b7514850735c281898035451071a1abf4b8",
                     *       "lines": 1,
                     *       "isCounted": true,
                     *       "totals": [
                     *         {
                     *           "type": "S",
                     *           "currency": "USD",
                     *           "amount": "8.49",
                     *           "lines": 1
                     *         }
                     *       ],
                     *       "unknownColumns": [
                     *         "Apple Identifier",
                     *         "Title",
                     *         "Developer Name",
                     *         "Product Type Identifier",
                     *         "Promo Code",
                     *         "Order Type",
                     *         "Region"
                     *       ],
                     *       "receivedAt": "2026-11-20T10:00:37.000Z",
                     *       "isRepeat": false
                     *     }
                     */
                    "application/json": {
                        /** @description Payments profile or vendor number. */
                        account: string;
                        /** @description Pacific day. */
                        endDate: string;
                        fileName: string;
                        id: string;
                        /** @description False if another report counts in its place. */
                        isCounted: boolean;
                        /** @description True if the same file had been added before. */
                        isRepeat: boolean;
                        /** @enum {string} */
                        kind: "earnings" | "sales" | "finance_detail" | "financial" | "payments";
                        lines: number;
                        /** @description `yyyy-mm`. */
                        month: string;
                        /** @constant */
                        object: "store_report";
                        /** @description Region of a `financial` report; null: all of the account. */
                        part: string | null;
                        /** Format: date-time */
                        receivedAt: string;
                        sha256: string;
                        /** @description Pacific day. */
                        startDate: string;
                        /** @enum {string} */
                        store: "ios-store" | "android-store";
                        /** @description What the lines state in the currency that is paid, by their type. Omitted for callers who may not see money. */
                        totals?: {
                            amount: string;
                            currency: string;
                            lines: number;
                            type: string;
                        }[];
                        /** @description `replaced`: a newer report of this kind, account, month and part counts. `outranked`: a report of the account’s month counts that says more: `earnings` before `sales`, `finance_detail` before `financial`. */
                        uncountedReason: ("replaced" | "outranked") | null;
                        /** @description Columns that were not used. */
                        unknownColumns: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getFinancialReportOfStore: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Report id (`rep_…`). */
                reportId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "store_report",
                     *       "id": "rep_f5y58rs8gkh46qc44yykp092as",
                     *       "kind": "finance_detail",
                     *       "store": "ios-store",
                     *       "account": "81234567",
                     *       "month": "2026-10",
                     *       "startDate": "2026-09-27",
                     *       "endDate": "2026-10-31",
                     *       "fileName": "81234567_1026_Z1.txt",
                     *       "sha256": "e9d10f4dc62d942a8850218c07010b7514850735c281898035451071a1abf4b8",
                     *       "lines": 1,
                     *       "isCounted": true,
                     *       "totals": [
                     *         {
                     *           "type": "S",
                     *           "currency": "USD",
                     *           "amount": "8.49",
                     *           "lines": 1
                     *         }
                     *       ],
                     *       "unknownColumns": [
                     *         "Apple Identifier",
                     *         "Title",
                     *         "Developer Name",
                     *         "Product Type Identifier",
                     *         "Promo Code",
                     *         "Order Type",
                     *         "Region"
                     *       ],
                     *       "receivedAt": "2026-11-20T10:00:37.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["StoreReport"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getRevenueSchedule: {
        parameters: {
            query?: {
                appId?: string;
                currency?: string;
                from?: string;
                to?: string;
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "books_schedule",
                     *       "basis": "gross",
                     *       "timeZone": "Europe/Berlin",
                     *       "lifetimeMonths": 0,
                     *       "notice": null,
                     *       "from": "2026-10",
                     *       "to": "2026-12",
                     *       "unpriced": 0,
                     *       "rows": [
                     *         {
                     *           "month": "2026-10",
                     *           "currency": "USD",
                     *           "opening": "11.86",
                     *           "billed": "9.99",
                     *           "recognised": "16.38",
                     *           "refunded": "0.00",
                     *           "closing": "5.47"
                     *         },
                     *         {
                     *           "month": "2026-11",
                     *           "currency": "USD",
                     *           "opening": "5.47",
                     *           "billed": "9.99",
                     *           "recognised": "3.29",
                     *           "refunded": "9.99",
                     *           "closing": "2.18"
                     *         },
                     *         {
                     *           "month": "2026-12",
                     *           "currency": "USD",
                     *           "opening": "2.18",
                     *           "billed": "0.00",
                     *           "recognised": "2.18",
                     *           "refunded": "0.00",
                     *           "closing": "0.00"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["BooksSchedule"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getHowRevenueIsCounted: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "books_settings",
                     *       "basis": "gross",
                     *       "timeZone": "Europe/Berlin",
                     *       "lifetimeMonths": 0
                     *     }
                     */
                    "application/json": components["schemas"]["BooksSettings"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    setHowRevenueIsCounted: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "basis": "gross",
                 *       "timeZone": "Europe/Berlin",
                 *       "lifetimeMonths": 0
                 *     }
                 */
                "application/json": components["schemas"]["SetHowRevenueIsCountedBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "books_settings",
                     *       "basis": "gross",
                     *       "timeZone": "Europe/Berlin",
                     *       "lifetimeMonths": 0
                     *     }
                     */
                    "application/json": components["schemas"]["BooksSettings"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getRevenueWaterfall: {
        parameters: {
            query?: {
                appId?: string;
                currency?: string;
                from?: string;
                to?: string;
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "books_waterfall",
                     *       "basis": "gross",
                     *       "timeZone": "Europe/Berlin",
                     *       "lifetimeMonths": 0,
                     *       "notice": null,
                     *       "from": "2026-10",
                     *       "to": "2026-12",
                     *       "rows": [
                     *         {
                     *           "month": "2026-10",
                     *           "currency": "USD",
                     *           "billed": "9.99",
                     *           "refunded": "0.00",
                     *           "later": "0.00",
                     *           "cells": [
                     *             {
                     *               "month": "2026-10",
                     *               "recognised": "9.67"
                     *             },
                     *             {
                     *               "month": "2026-11",
                     *               "recognised": "0.32"
                     *             }
                     *           ]
                     *         },
                     *         {
                     *           "month": "2026-11",
                     *           "currency": "USD",
                     *           "billed": "9.99",
                     *           "refunded": "0.00",
                     *           "later": "0.00",
                     *           "cells": [
                     *             {
                     *               "month": "2026-11",
                     *               "recognised": "9.66"
                     *             },
                     *             {
                     *               "month": "2026-12",
                     *               "recognised": "0.33"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["BooksWaterfall"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTransactionsOfWaterfallCell: {
        parameters: {
            query: {
                appId?: string;
                billed: string;
                currency: string;
                limit?: number;
                recognised: string;
                startingAfter?: string;
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [
                     *         {
                     *           "object": "schedule_transaction",
                     *           "transactionId": "2000000123460001",
                     *           "customerId": "cus_txz8hs5cq162pz7g310v8j6dt8",
                     *           "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *           "currency": "USD",
                     *           "purchasedAt": "2026-10-02T08:15:00.000Z",
                     *           "storeProductId": "com.example.stargazer.pro.month",
                     *           "billed": "9.99",
                     *           "recognised": "9.67"
                     *         }
                     *       ],
                     *       "nextPage": null,
                     *       "url": "/v1/projects/proj_01m1e34thrvetvggrrhzg38y99/books/waterfall/transactions"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["ScheduleTransaction"][];
                        /** @description Path and query of the next page; null on the last one. */
                        nextPage: string | null;
                        /** @constant */
                        object: "list";
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    countCustomers: {
        parameters: {
            query?: {
                attribute?: string | string[];
                /** @description A value of a chart: its ID, `?`, and the parameters of `…/metrics/charts/:chartId/customers`, such as `mrr?period=last_12_months&interval=month&filter=country:DE&bucket=2026-02-01T00:00:00.000Z`. */
                chartValue?: string;
                country?: string;
                createdAfter?: string;
                createdBefore?: string;
                entitlement?: string;
                environment?: "production" | "sandbox";
                lastSeenAfter?: string;
                lastSeenBefore?: string;
                maxSpentUsd?: string;
                minSpentUsd?: string;
                productId?: string;
                search?: string;
                status?: "active" | "trial" | "grace_period" | "billing_retry" | "expired" | "transferred" | "never";
                store?: "ios-store" | "android-store" | "test-store";
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "customerCount",
                     *       "count": 1,
                     *       "complete": true,
                     *       "examined": 2
                     *     }
                     */
                    "application/json": components["schemas"]["CustomerCount"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSegmentsOfCustomers: {
        parameters: {
            query?: {
                limit?: number;
                startingAfter?: string;
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [
                     *         {
                     *           "object": "customerSegment",
                     *           "id": "seg_01m7w6cspr3yep87f8kpxnqv3v",
                     *           "name": "Germany, over $5",
                     *           "query": {
                     *             "country": "DE",
                     *             "minSpentUsd": "5"
                     *           },
                     *           "createdAt": "2026-11-20T10:00:23.000Z"
                     *         }
                     *       ],
                     *       "nextPage": null,
                     *       "url": "/v1/projects/proj_01m1e34thrvetvggrrhzg38y99/customer-segments"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["CustomerSegment"][];
                        /** @description Path and query of the next page; null on the last one. */
                        nextPage: string | null;
                        /** @constant */
                        object: "list";
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    saveSegmentOfCustomers: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Billing retry in Germany",
                 *       "query": {
                 *         "status": "billing_retry",
                 *         "country": "DE",
                 *         "minSpentUsd": "50"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SaveSegmentOfCustomersBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "customerSegment",
                     *       "id": "seg_01m7w6cspr3yep87f8kpxnqv3v",
                     *       "name": "Germany, over $5",
                     *       "query": {
                     *         "country": "DE",
                     *         "minSpentUsd": "5"
                     *       },
                     *       "createdAt": "2026-11-20T10:00:23.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["CustomerSegment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteSegmentOfCustomers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Segment id (`seg_…`). */
                segmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "customerSegment",
                     *       "id": "seg_01m7w6cspr3yep87f8kpxnqv3v",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        deleted: true;
                        id: string;
                        /** @constant */
                        object: "customerSegment";
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCustomers: {
        parameters: {
            query?: {
                attribute?: string | string[];
                /** @description A value of a chart: its ID, `?`, and the parameters of `…/metrics/charts/:chartId/customers`, such as `mrr?period=last_12_months&interval=month&filter=country:DE&bucket=2026-02-01T00:00:00.000Z`. */
                chartValue?: string;
                country?: string;
                createdAfter?: string;
                createdBefore?: string;
                entitlement?: string;
                environment?: "production" | "sandbox";
                lastSeenAfter?: string;
                lastSeenBefore?: string;
                limit?: number;
                maxSpentUsd?: string;
                minSpentUsd?: string;
                order?: "desc" | "asc";
                productId?: string;
                search?: string;
                sort?: "firstSeenAt" | "lastSeenAt" | "totalSpentUsd";
                startingAfter?: string;
                status?: "active" | "trial" | "grace_period" | "billing_retry" | "expired" | "transferred" | "never";
                store?: "ios-store" | "android-store" | "test-store";
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [
                     *         {
                     *           "object": "customer",
                     *           "id": "cus_200ftr571n24q6f5wadxghq542",
                     *           "appUserId": "ben",
                     *           "aliases": [],
                     *           "firstSeenAt": "2026-09-18T06:30:00.000Z",
                     *           "lastSeenAt": "2026-09-18T06:30:06.000Z",
                     *           "country": "US",
                     *           "platform": null,
                     *           "status": "active",
                     *           "activeEntitlements": [
                     *             "pro"
                     *           ],
                     *           "totalSpentUsd": 9.99
                     *         },
                     *         {
                     *           "object": "customer",
                     *           "id": "cus_bvzz19hcfm4ezby7wkjkrpfqp2",
                     *           "appUserId": "carol",
                     *           "aliases": [],
                     *           "firstSeenAt": "2026-09-10T17:40:00.000Z",
                     *           "lastSeenAt": "2026-09-10T17:40:01.000Z",
                     *           "country": "DE",
                     *           "platform": "ios",
                     *           "status": "expired",
                     *           "activeEntitlements": [],
                     *           "totalSpentUsd": 0
                     *         },
                     *         {
                     *           "object": "customer",
                     *           "id": "cus_txz8hs5cq162pz7g310v8j6dt8",
                     *           "appUserId": "alice",
                     *           "aliases": [],
                     *           "firstSeenAt": "2026-09-02T08:14:31.000Z",
                     *           "lastSeenAt": "2026-09-02T08:14:31.000Z",
                     *           "country": "DE",
                     *           "platform": "ios",
                     *           "status": "active",
                     *           "activeEntitlements": [
                     *             "pro"
                     *           ],
                     *           "totalSpentUsd": 29.97
                     *         }
                     *       ],
                     *       "nextPage": null,
                     *       "url": "/v1/projects/proj_01m1e34thrvetvggrrhzg38y99/customers"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Customer"][];
                        /** @description Path and query of the next page; null on the last one. */
                        nextPage: string | null;
                        /** @constant */
                        object: "list";
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCustomerDetails: {
        parameters: {
            query?: {
                asOf?: string;
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Customer, by id (`cus_…`) or app user id. */
                cid: string;
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "customer",
                     *       "id": "cus_txz8hs5cq162pz7g310v8j6dt8",
                     *       "appUserId": "alice",
                     *       "aliases": [],
                     *       "firstSeenAt": "2026-09-02T08:14:31.000Z",
                     *       "lastSeenAt": "2026-09-02T08:14:31.000Z",
                     *       "country": "DE",
                     *       "platform": "ios",
                     *       "status": "active",
                     *       "activeEntitlements": [
                     *         "pro"
                     *       ],
                     *       "totalSpentUsd": 29.97,
                     *       "attributes": {
                     *         "$locale": {
                     *           "value": "de",
                     *           "updatedAt": "2026-09-02T08:14:31.000Z"
                     *         },
                     *         "$email": {
                     *           "value": "alice@example.com",
                     *           "updatedAt": "2026-09-02T08:15:05.000Z"
                     *         },
                     *         "favouriteFood": {
                     *           "value": "pizza",
                     *           "updatedAt": "2026-09-02T08:15:05.000Z"
                     *         }
                     *       },
                     *       "entitlements": [
                     *         {
                     *           "entitlementId": "ent_01m1e3559gt24pw1mgrr7eq4ch",
                     *           "lookupKey": "pro",
                     *           "active": true,
                     *           "expiresAt": "2026-12-02T08:15:00.000Z",
                     *           "source": "subscription",
                     *           "productId": "prod_01m1e351cgj9qhvd2ykta871v4",
                     *           "subscriptionId": "sub_f6ahsra1mzchbf5d7pxm651rd5",
                     *           "store": "ios-store",
                     *           "willRenew": true,
                     *           "inGracePeriod": false
                     *         }
                     *       ],
                     *       "subscriptions": [
                     *         {
                     *           "object": "subscription",
                     *           "id": "sub_f6ahsra1mzchbf5d7pxm651rd5",
                     *           "productId": "prod_01m1e351cgj9qhvd2ykta871v4",
                     *           "storeProductId": "com.example.stargazer.pro.month",
                     *           "store": "ios-store",
                     *           "environment": "production",
                     *           "state": "active",
                     *           "givesAccess": true,
                     *           "autoRenewStatus": "will_renew",
                     *           "periodType": "normal",
                     *           "startedAt": "2026-09-02T08:15:00.000Z",
                     *           "currentPeriodStartsAt": "2026-11-02T08:15:00.000Z",
                     *           "currentPeriodEndsAt": "2026-12-02T08:15:00.000Z",
                     *           "accessEndsAt": "2026-12-02T08:15:00.000Z",
                     *           "commitmentEndsAt": null,
                     *           "gracePeriodExpiresAt": null,
                     *           "autoResumeAt": null,
                     *           "unsubscribedAt": null,
                     *           "billingIssueDetectedAt": null,
                     *           "refundedAt": null,
                     *           "expirationReason": null,
                     *           "pendingProductId": null,
                     *           "ownership": "purchased",
                     *           "originalTransactionId": "2000000123456789",
                     *           "latestTransactionId": "2000000123470001",
                     *           "renewalNumber": 2,
                     *           "totalRevenueUsd": {
                     *             "gross": 29.97,
                     *             "tax": 0,
                     *             "commission": 4.5,
                     *             "proceeds": 25.47
                     *           },
                     *           "transactions": [
                     *             {
                     *               "object": "transaction",
                     *               "id": "2000000123456789",
                     *               "periodType": "normal",
                     *               "purchasedAt": "2026-09-02T08:15:00.000Z",
                     *               "expiresAt": "2026-10-02T08:15:00.000Z",
                     *               "amount": 9.99,
                     *               "currency": "USD",
                     *               "amountUsd": 9.99,
                     *               "refundedAt": null
                     *             },
                     *             {
                     *               "object": "transaction",
                     *               "id": "2000000123460001",
                     *               "periodType": "normal",
                     *               "purchasedAt": "2026-10-02T08:15:00.000Z",
                     *               "expiresAt": "2026-11-02T08:15:00.000Z",
                     *               "amount": 9.99,
                     *               "currency": "USD",
                     *               "amountUsd": 9.99,
                     *               "refundedAt": null
                     *             },
                     *             {
                     *               "object": "transaction",
                     *               "id": "2000000123470001",
                     *               "periodType": "normal",
                     *               "purchasedAt": "2026-11-02T08:15:00.000Z",
                     *               "expiresAt": "2026-12-02T08:15:00.000Z",
                     *               "amount": 9.99,
                     *               "currency": "USD",
                     *               "amountUsd": 9.99,
                     *               "refundedAt": null
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "purchases": [],
                     *       "promotionalGrants": [],
                     *       "experiments": [
                     *         {
                     *           "experimentId": "exp_01m1e35ky82g1zcst778jj9z4m",
                     *           "variantId": "var_01m1e35nwrn0wqse9njyw4ffp2",
                     *           "variantName": "yearly first",
                     *           "offeringId": "ofr_01m1e35c48hxtwbhadkqnx9sfg",
                     *           "enrolledAt": "2026-09-02T08:14:32.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CustomerDetail"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    explainCustomersAccessToEntitlement: {
        parameters: {
            query?: {
                asOf?: string;
                at?: string;
                entitlement?: string;
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Customer, by id (`cus_…`) or app user id. */
                cid: string;
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "accessExplanation",
                     *       "entitlement": {
                     *         "id": "ent_01m1e3559gt24pw1mgrr7eq4ch",
                     *         "lookupKey": "pro"
                     *       },
                     *       "at": "2026-11-20T10:00:24.000Z",
                     *       "asOf": "2026-11-20T10:00:24.000Z",
                     *       "has": true,
                     *       "since": "2026-09-02T08:15:00.000Z",
                     *       "until": "2026-12-02T08:15:00.000Z",
                     *       "sentence": "Access to pro since 2 Sep 2026 08:15 UTC until 2 Dec 2026 08:15 UTC: the subscription to com.example.stargazer.pro.month runs until 2 Dec 2026 08:15 UTC and renews then.",
                     *       "because": [
                     *         {
                     *           "object": "timelineEntry",
                     *           "id": "dfa0209f-6f2c-5007-acc7-5d2d15992c28",
                     *           "at": "2026-09-02T08:15:00.000Z",
                     *           "recordedAt": "2026-09-02T08:15:01.000Z",
                     *           "type": "SubscriptionStarted",
                     *           "summary": "Subscribed to com.example.stargazer.pro.month (paid, 9.99 USD) until 2026-10-02 08:15 UTC.",
                     *           "actor": {
                     *             "kind": "api_key",
                     *             "id": "key_01m1e35h0gcqw8s4h6dk3q575b",
                     *             "name": "iOS app"
                     *           },
                     *           "cause": {
                     *             "request": {
                     *               "id": "req_01m1gjz2w82e58drrcyjp7jn19"
                     *             }
                     *           },
                     *           "deliveries": [],
                     *           "access": {
                     *             "before": {},
                     *             "after": {
                     *               "pro": "2026-10-02T08:15:00.000Z"
                     *             }
                     *           },
                     *           "superseded": false,
                     *           "data": {
                     *             "purchase": {
                     *               "subscriptionId": "sub_f6ahsra1mzchbf5d7pxm651rd5",
                     *               "transactionId": "2000000123456789",
                     *               "originalTransactionId": "2000000123456789",
                     *               "storeChainId": "2000000123456789",
                     *               "store": "ios-store",
                     *               "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *               "productId": "prod_01m1e351cgj9qhvd2ykta871v4",
                     *               "storeProductId": "com.example.stargazer.pro.month",
                     *               "environment": "production",
                     *               "ownership": "purchased",
                     *               "country": "DE",
                     *               "offeringId": null,
                     *               "placementId": null
                     *             },
                     *             "storeTime": null,
                     *             "startReason": "first_purchase",
                     *             "previousSubscriptionId": null,
                     *             "periodType": "normal",
                     *             "periodDuration": "P1M",
                     *             "productDuration": "P1M",
                     *             "purchasedAt": "2026-09-02T08:15:00.000Z",
                     *             "expiresAt": "2026-10-02T08:15:00.000Z",
                     *             "money": {
                     *               "currency": "USD",
                     *               "amountMicros": 9990000,
                     *               "usdMicros": 9990000,
                     *               "fxRate": "1",
                     *               "fxDate": null,
                     *               "taxRate": 0,
                     *               "commissionRate": 0.15
                     *             },
                     *             "offer": {
                     *               "offerType": null,
                     *               "offerId": null,
                     *               "discountType": null
                     *             }
                     *           }
                     *         },
                     *         {
                     *           "object": "timelineEntry",
                     *           "id": "7ac2d51c-a131-5526-ad4c-b50c09133f33",
                     *           "at": "2026-10-02T08:15:00.000Z",
                     *           "recordedAt": "2026-10-02T08:10:12.000Z",
                     *           "type": "SubscriptionRenewed",
                     *           "summary": "Renewal 1 of com.example.stargazer.pro.month for 9.99 USD until 2026-11-02 08:15 UTC.",
                     *           "actor": {
                     *             "kind": "store",
                     *             "id": "ios-store",
                     *             "name": null
                     *           },
                     *           "cause": {
                     *             "notification": {
                     *               "id": "f9465f0c-9e56-5ca0-a82a-37b4fdc9747e",
                     *               "store": "ios-store",
                     *               "type": "DID_RENEW",
                     *               "rawBody": "{\"signedPayload\":\"eyJhbGciOiJFUzI1NiIsIng1YyI6…\"}"
                     *             }
                     *           },
                     *           "deliveries": [],
                     *           "access": {
                     *             "before": {
                     *               "pro": "2026-10-02T08:15:00.000Z"
                     *             },
                     *             "after": {
                     *               "pro": "2026-11-02T08:15:00.000Z"
                     *             }
                     *           },
                     *           "superseded": false,
                     *           "data": {
                     *             "purchase": {
                     *               "subscriptionId": "sub_f6ahsra1mzchbf5d7pxm651rd5",
                     *               "transactionId": "2000000123460001",
                     *               "originalTransactionId": "2000000123456789",
                     *               "storeChainId": "2000000123456789",
                     *               "store": "ios-store",
                     *               "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *               "productId": "prod_01m1e351cgj9qhvd2ykta871v4",
                     *               "storeProductId": "com.example.stargazer.pro.month",
                     *               "environment": "production",
                     *               "ownership": "purchased",
                     *               "country": "DE",
                     *               "offeringId": null,
                     *               "placementId": null
                     *             },
                     *             "storeTime": "2026-10-02T08:10:11.000Z",
                     *             "isTrialConversion": false,
                     *             "renewalNumber": 1,
                     *             "recoveredFrom": null,
                     *             "periodType": "normal",
                     *             "periodDuration": "P1M",
                     *             "productDuration": "P1M",
                     *             "purchasedAt": "2026-10-02T08:15:00.000Z",
                     *             "expiresAt": "2026-11-02T08:15:00.000Z",
                     *             "money": {
                     *               "currency": "USD",
                     *               "amountMicros": 9990000,
                     *               "usdMicros": 9990000,
                     *               "fxRate": "1",
                     *               "fxDate": null,
                     *               "taxRate": 0,
                     *               "commissionRate": 0.15
                     *             },
                     *             "offer": {
                     *               "offerType": null,
                     *               "offerId": null,
                     *               "discountType": null
                     *             }
                     *           }
                     *         },
                     *         {
                     *           "object": "timelineEntry",
                     *           "id": "4016a07e-7c31-526c-aa24-d8c254fb6027",
                     *           "at": "2026-11-02T08:15:00.000Z",
                     *           "recordedAt": "2026-11-02T08:09:43.000Z",
                     *           "type": "SubscriptionRenewed",
                     *           "summary": "Renewal 2 of com.example.stargazer.pro.month for 9.99 USD until 2026-12-02 08:15 UTC.",
                     *           "actor": {
                     *             "kind": "store",
                     *             "id": "ios-store",
                     *             "name": null
                     *           },
                     *           "cause": {
                     *             "notification": {
                     *               "id": "076bbcdc-cce1-5ee6-a16b-7f0c59610f94",
                     *               "store": "ios-store",
                     *               "type": "DID_RENEW",
                     *               "rawBody": "{\"signedPayload\":\"eyJhbGciOiJFUzI1NiIsIng1YyI6…\"}"
                     *             }
                     *           },
                     *           "deliveries": [
                     *             {
                     *               "id": "del_d6ngcz15mvsj7dgqhnppxnhc3z",
                     *               "webhookId": "wh_01m1e35jz0kkzgb24t43vsr5er",
                     *               "eventId": "whe_c325pcq2bg74r1yt8zxd0x60yk",
                     *               "type": "ENTITLEMENT_CHANGED",
                     *               "state": "delivered"
                     *             },
                     *             {
                     *               "id": "del_nbwfbhrftsvd2thz1sccybn0yx",
                     *               "webhookId": "wh_01m1e35jz0kkzgb24t43vsr5er",
                     *               "eventId": "whe_phfhd34mx5hbkkeyz66vqvfn7h",
                     *               "type": "RENEWAL",
                     *               "state": "delivered"
                     *             }
                     *           ],
                     *           "access": {
                     *             "before": {
                     *               "pro": "2026-11-02T08:15:00.000Z"
                     *             },
                     *             "after": {
                     *               "pro": "2026-12-02T08:15:00.000Z"
                     *             }
                     *           },
                     *           "superseded": false,
                     *           "data": {
                     *             "purchase": {
                     *               "subscriptionId": "sub_f6ahsra1mzchbf5d7pxm651rd5",
                     *               "transactionId": "2000000123470001",
                     *               "originalTransactionId": "2000000123456789",
                     *               "storeChainId": "2000000123456789",
                     *               "store": "ios-store",
                     *               "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *               "productId": "prod_01m1e351cgj9qhvd2ykta871v4",
                     *               "storeProductId": "com.example.stargazer.pro.month",
                     *               "environment": "production",
                     *               "ownership": "purchased",
                     *               "country": "DE",
                     *               "offeringId": null,
                     *               "placementId": null
                     *             },
                     *             "storeTime": "2026-11-02T08:09:42.000Z",
                     *             "isTrialConversion": false,
                     *             "renewalNumber": 2,
                     *             "recoveredFrom": null,
                     *             "periodType": "normal",
                     *             "periodDuration": "P1M",
                     *             "productDuration": "P1M",
                     *             "purchasedAt": "2026-11-02T08:15:00.000Z",
                     *             "expiresAt": "2026-12-02T08:15:00.000Z",
                     *             "money": {
                     *               "currency": "USD",
                     *               "amountMicros": 9990000,
                     *               "usdMicros": 9990000,
                     *               "fxRate": "1",
                     *               "fxDate": null,
                     *               "taxRate": 0,
                     *               "commissionRate": 0.15
                     *             },
                     *             "offer": {
                     *               "offerType": null,
                     *               "offerId": null,
                     *               "discountType": null
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "sources": [
                     *         {
                     *           "kind": "subscription",
                     *           "id": "sub_f6ahsra1mzchbf5d7pxm651rd5",
                     *           "store": "ios-store",
                     *           "storeProductId": "com.example.stargazer.pro.month",
                     *           "from": "2026-09-02T08:15:00.000Z",
                     *           "until": "2026-12-02T08:15:00.000Z",
                     *           "movedTo": null,
                     *           "why": "gives",
                     *           "counts": true,
                     *           "sentence": "the subscription to com.example.stargazer.pro.month runs until 2 Dec 2026 08:15 UTC and renews then"
                     *         }
                     *       ],
                     *       "wouldChange": [
                     *         {
                     *           "at": "2026-12-02T08:15:00.000Z",
                     *           "kind": "renewal_due",
                     *           "effect": "takes",
                     *           "sentence": "the renewal is due; access ends without it",
                     *           "source": "sub_f6ahsra1mzchbf5d7pxm651rd5"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AccessExplanation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    previewOfferingsOfCustomer: {
        parameters: {
            query?: {
                appVersion?: string;
                asOf?: string;
                country?: string;
                platform?: "ios" | "android" | "macos" | "tvos" | "watchos" | "visionos" | "web";
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Customer, by id (`cus_…`) or app user id. */
                cid: string;
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "offeringPreview",
                     *       "customerId": "cus_txz8hs5cq162pz7g310v8j6dt8",
                     *       "at": "2026-11-20T10:00:24.000Z",
                     *       "offering": {
                     *         "id": "ofr_01m1e35c48hxtwbhadkqnx9sfg",
                     *         "lookupKey": "yearly-first"
                     *       },
                     *       "placements": [
                     *         {
                     *           "placementId": "plc_01m7w6c8488h3nd85w6hp3fe9r",
                     *           "lookupKey": "onboarding_end",
                     *           "offering": {
                     *             "id": "ofr_01m1e35c48hxtwbhadkqnx9sfg",
                     *             "lookupKey": "yearly-first"
                     *           }
                     *         }
                     *       ],
                     *       "experiment": {
                     *         "id": "exp_01m1e35ky82g1zcst778jj9z4m",
                     *         "variantId": "var_01m1e35nwrn0wqse9njyw4ffp2",
                     *         "isEnrolled": true
                     *       },
                     *       "targeting": null,
                     *       "sentence": "The customer takes part in an experiment, which wins over targeting rules.",
                     *       "facts": {
                     *         "country": "DE",
                     *         "platform": "ios",
                     *         "appVersion": "2.1",
                     *         "firstSeenAt": "2026-09-02T08:14:31.000Z",
                     *         "isSubscriber": true
                     *       },
                     *       "rules": [
                     *         {
                     *           "id": "tr_01m7w6ca2r1tpkqa537thvhgtc",
                     *           "name": "Yearly first in Germany",
                     *           "revision": 1,
                     *           "result": "not_reached",
                     *           "conditions": [
                     *             {
                     *               "kind": "country",
                     *               "operator": "in",
                     *               "values": [
                     *                 "DE",
                     *                 "AT"
                     *               ],
                     *               "isMet": true,
                     *               "actual": "DE"
                     *             },
                     *             {
                     *               "kind": "subscriber",
                     *               "value": false,
                     *               "isMet": false,
                     *               "actual": "yes"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["OfferingPreview"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    movePurchaseToThisCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Customer, by id (`cus_…`) or app user id. */
                cid: string;
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "transactionId": "2000000123456789",
                 *       "reason": "The buyer logged in with the wrong account."
                 *     }
                 */
                "application/json": components["schemas"]["MovePurchaseToThisCustomerBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "transfer",
                     *       "from": {
                     *         "object": "customer",
                     *         "id": "cus_bvzz19hcfm4ezby7wkjkrpfqp2",
                     *         "appUserId": "carol",
                     *         "aliases": [],
                     *         "firstSeenAt": "2026-09-10T17:40:00.000Z",
                     *         "lastSeenAt": "2026-09-10T17:40:01.000Z",
                     *         "country": "DE",
                     *         "platform": "ios",
                     *         "status": "transferred",
                     *         "activeEntitlements": [],
                     *         "totalSpentUsd": 0,
                     *         "attributes": {
                     *           "$locale": {
                     *             "value": "de",
                     *             "updatedAt": "2026-09-10T17:40:01.000Z"
                     *           }
                     *         },
                     *         "entitlements": [],
                     *         "subscriptions": [],
                     *         "purchases": [],
                     *         "promotionalGrants": [],
                     *         "experiments": [
                     *           {
                     *             "experimentId": "exp_01m1e35ky82g1zcst778jj9z4m",
                     *             "variantId": "var_01m1e35nwrn0wqse9njyw4ffp2",
                     *             "variantName": "yearly first",
                     *             "offeringId": "ofr_01m1e35c48hxtwbhadkqnx9sfg",
                     *             "enrolledAt": "2026-09-10T17:40:02.000Z"
                     *           }
                     *         ]
                     *       },
                     *       "to": {
                     *         "object": "customer",
                     *         "id": "cus_jcy34gcrbjtfwpbf58ehy16rdv",
                     *         "appUserId": "dora",
                     *         "aliases": [],
                     *         "firstSeenAt": "2026-11-20T10:00:26.000Z",
                     *         "lastSeenAt": "2026-11-20T10:00:26.000Z",
                     *         "country": "DE",
                     *         "platform": null,
                     *         "status": "expired",
                     *         "activeEntitlements": [],
                     *         "totalSpentUsd": 0,
                     *         "attributes": {},
                     *         "entitlements": [
                     *           {
                     *             "entitlementId": "ent_01m1e3559gt24pw1mgrr7eq4ch",
                     *             "lookupKey": "pro",
                     *             "active": false,
                     *             "expiresAt": "2026-10-10T17:40:00.000Z",
                     *             "source": "subscription",
                     *             "productId": "prod_01m1e351cgj9qhvd2ykta871v4",
                     *             "subscriptionId": "sub_t9x4qky7zwc9er9d1445jfcqh7",
                     *             "store": "ios-store",
                     *             "willRenew": false,
                     *             "inGracePeriod": false
                     *           }
                     *         ],
                     *         "subscriptions": [
                     *           {
                     *             "object": "subscription",
                     *             "id": "sub_t9x4qky7zwc9er9d1445jfcqh7",
                     *             "productId": "prod_01m1e351cgj9qhvd2ykta871v4",
                     *             "storeProductId": "com.example.stargazer.pro.month",
                     *             "store": "ios-store",
                     *             "environment": "production",
                     *             "state": "expired",
                     *             "givesAccess": false,
                     *             "autoRenewStatus": "will_not_renew",
                     *             "periodType": "normal",
                     *             "startedAt": "2026-09-10T17:40:00.000Z",
                     *             "currentPeriodStartsAt": "2026-09-10T17:40:00.000Z",
                     *             "currentPeriodEndsAt": "2026-10-10T17:40:00.000Z",
                     *             "accessEndsAt": "2026-10-10T17:40:00.000Z",
                     *             "commitmentEndsAt": null,
                     *             "gracePeriodExpiresAt": null,
                     *             "autoResumeAt": null,
                     *             "unsubscribedAt": null,
                     *             "billingIssueDetectedAt": null,
                     *             "refundedAt": null,
                     *             "expirationReason": "unknown",
                     *             "pendingProductId": null,
                     *             "ownership": "purchased",
                     *             "originalTransactionId": "2000000123499999",
                     *             "latestTransactionId": "2000000123499999",
                     *             "renewalNumber": 0,
                     *             "totalRevenueUsd": {
                     *               "gross": 0,
                     *               "tax": 0,
                     *               "commission": 0,
                     *               "proceeds": 0
                     *             },
                     *             "transactions": [
                     *               {
                     *                 "object": "transaction",
                     *                 "id": "2000000123499999",
                     *                 "periodType": "normal",
                     *                 "purchasedAt": "2026-09-10T17:40:00.000Z",
                     *                 "expiresAt": "2026-10-10T17:40:00.000Z",
                     *                 "amount": 9.99,
                     *                 "currency": "USD",
                     *                 "amountUsd": 9.99,
                     *                 "refundedAt": "2026-11-05T11:58:00.000Z"
                     *               }
                     *             ]
                     *           }
                     *         ],
                     *         "purchases": [],
                     *         "promotionalGrants": [],
                     *         "experiments": []
                     *       }
                     *     }
                     */
                    "application/json": {
                        from: components["schemas"]["CustomerDetail"];
                        /** @constant */
                        object: "transfer";
                        to: components["schemas"]["CustomerDetail"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    refreshAllPurchasesOfCustomerFromStores: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Customer, by id (`cus_…`) or app user id. */
                cid: string;
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "refresh",
                     *       "requestedLines": 1,
                     *       "changed": [
                     *         {
                     *           "object": "timelineEntry",
                     *           "id": "f2fcdaca-526b-5c42-a74f-9c5a63931105",
                     *           "at": "2026-11-19T21:03:00.000Z",
                     *           "recordedAt": "2026-11-20T10:00:26.000Z",
                     *           "type": "SubscriptionAutoRenewDisabled",
                     *           "summary": "Auto-renewal was turned off (unsubscribe); the subscription runs until 2026-12-02 08:15 UTC (inferred from a later store message).",
                     *           "actor": {
                     *             "kind": "user",
                     *             "id": "usr_01m1e34rk824ed3rrvxdvkdqjm",
                     *             "name": "Ada"
                     *           },
                     *           "cause": {
                     *             "request": {
                     *               "id": "req_01m7w6cwmg4yfngdcdqwd2fsth"
                     *             }
                     *           },
                     *           "deliveries": [
                     *             {
                     *               "id": "del_vwacc3p2wjaec0mhp83kmd8dwd",
                     *               "webhookId": "wh_01m1e35jz0kkzgb24t43vsr5er",
                     *               "eventId": "whe_qadf9vbfbj54abqzd0ezt3ddpr",
                     *               "type": "CANCELLATION",
                     *               "state": "pending"
                     *             }
                     *           ],
                     *           "access": {
                     *             "before": {
                     *               "pro": "2026-12-02T08:15:00.000Z"
                     *             },
                     *             "after": {
                     *               "pro": "2026-12-02T08:15:00.000Z"
                     *             }
                     *           },
                     *           "superseded": false,
                     *           "data": {
                     *             "purchase": {
                     *               "subscriptionId": "sub_f6ahsra1mzchbf5d7pxm651rd5",
                     *               "transactionId": "2000000123470001",
                     *               "originalTransactionId": "2000000123456789",
                     *               "storeChainId": "2000000123456789",
                     *               "store": "ios-store",
                     *               "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *               "productId": "prod_01m1e351cgj9qhvd2ykta871v4",
                     *               "storeProductId": "com.example.stargazer.pro.month",
                     *               "environment": "production",
                     *               "ownership": "purchased",
                     *               "country": "DE",
                     *               "offeringId": null,
                     *               "placementId": null
                     *             },
                     *             "storeTime": "2026-11-19T21:03:00.000Z",
                     *             "reason": "unsubscribe",
                     *             "effectiveAt": "2026-12-02T08:15:00.000Z"
                     *           }
                     *         },
                     *         {
                     *           "object": "timelineEntry",
                     *           "id": "eea3b17a-9c1e-56a6-a59e-b005a398be07",
                     *           "at": "2026-11-20T07:12:40.000Z",
                     *           "recordedAt": "2026-11-20T10:00:26.000Z",
                     *           "type": "SubscriptionAutoRenewEnabled",
                     *           "summary": "Auto-renewal was turned on again (inferred from a later store message).",
                     *           "actor": {
                     *             "kind": "user",
                     *             "id": "usr_01m1e34rk824ed3rrvxdvkdqjm",
                     *             "name": "Ada"
                     *           },
                     *           "cause": {
                     *             "request": {
                     *               "id": "req_01m7w6cwmg4yfngdcdqwd2fsth"
                     *             }
                     *           },
                     *           "deliveries": [],
                     *           "access": {
                     *             "before": {
                     *               "pro": "2026-12-02T08:15:00.000Z"
                     *             },
                     *             "after": {
                     *               "pro": "2026-12-02T08:15:00.000Z"
                     *             }
                     *           },
                     *           "superseded": false,
                     *           "data": {
                     *             "purchase": {
                     *               "subscriptionId": "sub_f6ahsra1mzchbf5d7pxm651rd5",
                     *               "transactionId": "2000000123470001",
                     *               "originalTransactionId": "2000000123456789",
                     *               "storeChainId": "2000000123456789",
                     *               "store": "ios-store",
                     *               "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *               "productId": "prod_01m1e351cgj9qhvd2ykta871v4",
                     *               "storeProductId": "com.example.stargazer.pro.month",
                     *               "environment": "production",
                     *               "ownership": "purchased",
                     *               "country": "DE",
                     *               "offeringId": null,
                     *               "placementId": null
                     *             },
                     *             "storeTime": "2026-11-20T07:12:40.000Z"
                     *           }
                     *         }
                     *       ],
                     *       "failed": []
                     *     }
                     */
                    "application/json": components["schemas"]["Refresh"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCustomersTimeline: {
        parameters: {
            query?: {
                asOf?: string;
                limit?: number;
                order?: "newest" | "oldest";
                startingAfter?: string;
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Customer, by id (`cus_…`) or app user id. */
                cid: string;
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [
                     *         {
                     *           "object": "timelineEntry",
                     *           "id": "7b1630a3-05f0-5094-a4bf-17e4def2e40e",
                     *           "at": "2026-11-20T07:12:40.000Z",
                     *           "recordedAt": "2026-11-20T07:12:41.000Z",
                     *           "type": "ConsumptionInformationRequested",
                     *           "summary": "The store requested consumption information for transaction 2000000123470001, due by 2026-11-20 19:12 UTC. No answer was sent.",
                     *           "actor": {
                     *             "kind": "store",
                     *             "id": "ios-store",
                     *             "name": null
                     *           },
                     *           "cause": {
                     *             "notification": {
                     *               "id": "c80ba24a-998c-5c12-a2da-9addbff8ca52",
                     *               "store": "ios-store",
                     *               "type": "CONSUMPTION_REQUEST",
                     *               "rawBody": "{\"signedPayload\":\"eyJhbGciOiJFUzI1NiIsIng1YyI6…\"}"
                     *             }
                     *           },
                     *           "deliveries": [],
                     *           "access": {
                     *             "before": {
                     *               "pro": "2026-12-02T08:15:00.000Z"
                     *             },
                     *             "after": {
                     *               "pro": "2026-12-02T08:15:00.000Z"
                     *             }
                     *           },
                     *           "superseded": false,
                     *           "data": {
                     *             "purchase": {
                     *               "transactionId": "2000000123470001",
                     *               "originalTransactionId": "2000000123456789",
                     *               "storeChainId": "2000000123456789",
                     *               "store": "ios-store",
                     *               "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *               "productId": "prod_01m1e351cgj9qhvd2ykta871v4",
                     *               "storeProductId": "com.example.stargazer.pro.month",
                     *               "environment": "production",
                     *               "ownership": "purchased",
                     *               "country": "DE",
                     *               "offeringId": null,
                     *               "placementId": null
                     *             },
                     *             "transactionId": "2000000123470001",
                     *             "reason": null,
                     *             "respondBy": "2026-11-20T19:12:40.000Z",
                     *             "pendingRefundToken": null
                     *           }
                     *         },
                     *         {
                     *           "object": "timelineEntry",
                     *           "id": "4016a07e-7c31-526c-aa24-d8c254fb6027",
                     *           "at": "2026-11-02T08:15:00.000Z",
                     *           "recordedAt": "2026-11-02T08:09:43.000Z",
                     *           "type": "SubscriptionRenewed",
                     *           "summary": "Renewal 2 of com.example.stargazer.pro.month for 9.99 USD until 2026-12-02 08:15 UTC.",
                     *           "actor": {
                     *             "kind": "store",
                     *             "id": "ios-store",
                     *             "name": null
                     *           },
                     *           "cause": {
                     *             "notification": {
                     *               "id": "076bbcdc-cce1-5ee6-a16b-7f0c59610f94",
                     *               "store": "ios-store",
                     *               "type": "DID_RENEW",
                     *               "rawBody": "{\"signedPayload\":\"eyJhbGciOiJFUzI1NiIsIng1YyI6…\"}"
                     *             }
                     *           },
                     *           "deliveries": [
                     *             {
                     *               "id": "del_d6ngcz15mvsj7dgqhnppxnhc3z",
                     *               "webhookId": "wh_01m1e35jz0kkzgb24t43vsr5er",
                     *               "eventId": "whe_c325pcq2bg74r1yt8zxd0x60yk",
                     *               "type": "ENTITLEMENT_CHANGED",
                     *               "state": "delivered"
                     *             },
                     *             {
                     *               "id": "del_nbwfbhrftsvd2thz1sccybn0yx",
                     *               "webhookId": "wh_01m1e35jz0kkzgb24t43vsr5er",
                     *               "eventId": "whe_phfhd34mx5hbkkeyz66vqvfn7h",
                     *               "type": "RENEWAL",
                     *               "state": "delivered"
                     *             }
                     *           ],
                     *           "access": {
                     *             "before": {
                     *               "pro": "2026-11-02T08:15:00.000Z"
                     *             },
                     *             "after": {
                     *               "pro": "2026-12-02T08:15:00.000Z"
                     *             }
                     *           },
                     *           "superseded": false,
                     *           "data": {
                     *             "purchase": {
                     *               "subscriptionId": "sub_f6ahsra1mzchbf5d7pxm651rd5",
                     *               "transactionId": "2000000123470001",
                     *               "originalTransactionId": "2000000123456789",
                     *               "storeChainId": "2000000123456789",
                     *               "store": "ios-store",
                     *               "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *               "productId": "prod_01m1e351cgj9qhvd2ykta871v4",
                     *               "storeProductId": "com.example.stargazer.pro.month",
                     *               "environment": "production",
                     *               "ownership": "purchased",
                     *               "country": "DE",
                     *               "offeringId": null,
                     *               "placementId": null
                     *             },
                     *             "storeTime": "2026-11-02T08:09:42.000Z",
                     *             "isTrialConversion": false,
                     *             "renewalNumber": 2,
                     *             "recoveredFrom": null,
                     *             "periodType": "normal",
                     *             "periodDuration": "P1M",
                     *             "productDuration": "P1M",
                     *             "purchasedAt": "2026-11-02T08:15:00.000Z",
                     *             "expiresAt": "2026-12-02T08:15:00.000Z",
                     *             "money": {
                     *               "currency": "USD",
                     *               "amountMicros": 9990000,
                     *               "usdMicros": 9990000,
                     *               "fxRate": "1",
                     *               "fxDate": null,
                     *               "taxRate": 0,
                     *               "commissionRate": 0.15
                     *             },
                     *             "offer": {
                     *               "offerType": null,
                     *               "offerId": null,
                     *               "discountType": null
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "nextPage": "/v1/projects/proj_01m1e34thrvetvggrrhzg38y99/customers/cus_txz8hs5cq162pz7g310v8j6dt8/timeline?startingAfter=4016a07e-7c31-526c-aa24-d8c254fb6027&limit=2&order=newest",
                     *       "url": "/v1/projects/proj_01m1e34thrvetvggrrhzg38y99/customers/cus_txz8hs5cq162pz7g310v8j6dt8/timeline"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["TimelineEntry"][];
                        /** @description Path and query of the next page; null on the last one. */
                        nextPage: string | null;
                        /** @constant */
                        object: "list";
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    simulatePurchase: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "demoPurchase",
                     *       "customerId": "cus_dfhr4nsm7phtdekdgkzd0aezh4",
                     *       "appUserId": "live-701788",
                     *       "transactionId": "701788253200000000",
                     *       "storeProductId": "com.example.stargazer.pro.month"
                     *     }
                     */
                    "application/json": components["schemas"]["DemoPurchase"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listEntitlements: {
        parameters: {
            query?: {
                limit?: number;
                startingAfter?: string;
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [
                     *         {
                     *           "object": "entitlement",
                     *           "id": "ent_01m1e3559gt24pw1mgrr7eq4ch",
                     *           "lookupKey": "pro",
                     *           "displayName": "Pro, all features",
                     *           "description": null,
                     *           "createdAt": "2026-09-01T09:00:14.000Z",
                     *           "updatedAt": "2026-11-20T10:00:02.000Z"
                     *         }
                     *       ],
                     *       "nextPage": null,
                     *       "url": "/v1/projects/proj_01m1e34thrvetvggrrhzg38y99/entitlements"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Entitlement"][];
                        /** @description Path and query of the next page; null on the last one. */
                        nextPage: string | null;
                        /** @constant */
                        object: "list";
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createEntitlement: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "lookupKey": "pro",
                 *       "displayName": "Pro"
                 *     }
                 */
                "application/json": components["schemas"]["CreateEntitlementBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "entitlement",
                     *       "id": "ent_01m1e3559gt24pw1mgrr7eq4ch",
                     *       "lookupKey": "pro",
                     *       "displayName": "Pro",
                     *       "description": null,
                     *       "createdAt": "2026-09-01T09:00:14.000Z",
                     *       "updatedAt": "2026-09-01T09:00:14.000Z",
                     *       "products": []
                     *     }
                     */
                    "application/json": components["schemas"]["EntitlementWithProducts"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEntitlementDetails: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Entitlement, by id (`ent_…`) or `lookupKey`. */
                eid: string;
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "entitlement",
                     *       "id": "ent_01m1e3559gt24pw1mgrr7eq4ch",
                     *       "lookupKey": "pro",
                     *       "displayName": "Pro, all features",
                     *       "description": null,
                     *       "createdAt": "2026-09-01T09:00:14.000Z",
                     *       "updatedAt": "2026-11-20T10:00:02.000Z",
                     *       "products": [
                     *         {
                     *           "object": "product",
                     *           "id": "prod_01m1e350d8mgtbsaqea3k7vwrg",
                     *           "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *           "store": "ios-store",
                     *           "storeProductId": "com.example.stargazer.pro.year",
                     *           "displayName": "Pro, yearly",
                     *           "type": "subscription",
                     *           "duration": "P1Y",
                     *           "trialDuration": null,
                     *           "gracePeriodDuration": "P16D",
                     *           "prices": [],
                     *           "entitlementIds": [
                     *             "ent_01m1e3559gt24pw1mgrr7eq4ch"
                     *           ],
                     *           "createdAt": "2026-09-01T09:00:09.000Z",
                     *           "updatedAt": "2026-09-01T09:00:15.000Z"
                     *         },
                     *         {
                     *           "object": "product",
                     *           "id": "prod_01m1e351cgj9qhvd2ykta871v4",
                     *           "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *           "store": "ios-store",
                     *           "storeProductId": "com.example.stargazer.pro.month",
                     *           "displayName": "Pro, monthly",
                     *           "type": "subscription",
                     *           "duration": "P1M",
                     *           "trialDuration": "P1W",
                     *           "gracePeriodDuration": "P16D",
                     *           "prices": [
                     *             {
                     *               "object": "price",
                     *               "id": "price_01m1e354a87egybrttm9s6bcka",
                     *               "productId": "prod_01m1e351cgj9qhvd2ykta871v4",
                     *               "amount": 9.99,
                     *               "amountMicros": 9990000,
                     *               "currency": "USD",
                     *               "country": "US",
                     *               "startsAt": null
                     *             }
                     *           ],
                     *           "entitlementIds": [
                     *             "ent_01m1e3559gt24pw1mgrr7eq4ch"
                     *           ],
                     *           "createdAt": "2026-09-01T09:00:10.000Z",
                     *           "updatedAt": "2026-09-01T09:00:15.000Z"
                     *         },
                     *         {
                     *           "object": "product",
                     *           "id": "prod_01m1e352brtw6knw1szf94t5fn",
                     *           "appId": "app_01m1e34wg8c5k5kgvhzdd4th4m",
                     *           "store": "android-store",
                     *           "storeProductId": "com.example.stargazer.pro.year",
                     *           "displayName": "Pro, yearly",
                     *           "type": "subscription",
                     *           "duration": "P1Y",
                     *           "trialDuration": null,
                     *           "gracePeriodDuration": "P16D",
                     *           "prices": [],
                     *           "entitlementIds": [
                     *             "ent_01m1e3559gt24pw1mgrr7eq4ch"
                     *           ],
                     *           "createdAt": "2026-09-01T09:00:11.000Z",
                     *           "updatedAt": "2026-09-01T09:00:15.000Z"
                     *         },
                     *         {
                     *           "object": "product",
                     *           "id": "prod_01m1e353b01yg9sycnjked0ehf",
                     *           "appId": "app_01m1e34wg8c5k5kgvhzdd4th4m",
                     *           "store": "android-store",
                     *           "storeProductId": "com.example.stargazer.pro.month",
                     *           "displayName": "Pro, monthly",
                     *           "type": "subscription",
                     *           "duration": "P1M",
                     *           "trialDuration": "P1W",
                     *           "gracePeriodDuration": "P16D",
                     *           "prices": [],
                     *           "entitlementIds": [
                     *             "ent_01m1e3559gt24pw1mgrr7eq4ch"
                     *           ],
                     *           "createdAt": "2026-09-01T09:00:12.000Z",
                     *           "updatedAt": "2026-09-01T09:00:15.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["EntitlementWithProducts"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteEntitlement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Entitlement, by id (`ent_…`) or `lookupKey`. */
                eid: string;
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "entitlement",
                     *       "id": "ent_01m1e3559gt24pw1mgrr7eq4ch",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        deleted: true;
                        id: string;
                        /** @constant */
                        object: "entitlement";
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateEntitlement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Entitlement, by id (`ent_…`) or `lookupKey`. */
                eid: string;
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "displayName": "Pro, all features"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateEntitlementBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "entitlement",
                     *       "id": "ent_01m1e3559gt24pw1mgrr7eq4ch",
                     *       "lookupKey": "pro",
                     *       "displayName": "Pro, all features",
                     *       "description": null,
                     *       "createdAt": "2026-09-01T09:00:14.000Z",
                     *       "updatedAt": "2026-11-20T10:00:02.000Z",
                     *       "products": [
                     *         {
                     *           "object": "product",
                     *           "id": "prod_01m1e350d8mgtbsaqea3k7vwrg",
                     *           "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *           "store": "ios-store",
                     *           "storeProductId": "com.example.stargazer.pro.year",
                     *           "displayName": "Pro, yearly",
                     *           "type": "subscription",
                     *           "duration": "P1Y",
                     *           "trialDuration": null,
                     *           "gracePeriodDuration": "P16D",
                     *           "prices": [],
                     *           "entitlementIds": [
                     *             "ent_01m1e3559gt24pw1mgrr7eq4ch"
                     *           ],
                     *           "createdAt": "2026-09-01T09:00:09.000Z",
                     *           "updatedAt": "2026-09-01T09:00:15.000Z"
                     *         },
                     *         {
                     *           "object": "product",
                     *           "id": "prod_01m1e351cgj9qhvd2ykta871v4",
                     *           "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *           "store": "ios-store",
                     *           "storeProductId": "com.example.stargazer.pro.month",
                     *           "displayName": "Pro, monthly",
                     *           "type": "subscription",
                     *           "duration": "P1M",
                     *           "trialDuration": "P1W",
                     *           "gracePeriodDuration": "P16D",
                     *           "prices": [
                     *             {
                     *               "object": "price",
                     *               "id": "price_01m1e354a87egybrttm9s6bcka",
                     *               "productId": "prod_01m1e351cgj9qhvd2ykta871v4",
                     *               "amount": 9.99,
                     *               "amountMicros": 9990000,
                     *               "currency": "USD",
                     *               "country": "US",
                     *               "startsAt": null
                     *             }
                     *           ],
                     *           "entitlementIds": [
                     *             "ent_01m1e3559gt24pw1mgrr7eq4ch"
                     *           ],
                     *           "createdAt": "2026-09-01T09:00:10.000Z",
                     *           "updatedAt": "2026-09-01T09:00:15.000Z"
                     *         },
                     *         {
                     *           "object": "product",
                     *           "id": "prod_01m1e352brtw6knw1szf94t5fn",
                     *           "appId": "app_01m1e34wg8c5k5kgvhzdd4th4m",
                     *           "store": "android-store",
                     *           "storeProductId": "com.example.stargazer.pro.year",
                     *           "displayName": "Pro, yearly",
                     *           "type": "subscription",
                     *           "duration": "P1Y",
                     *           "trialDuration": null,
                     *           "gracePeriodDuration": "P16D",
                     *           "prices": [],
                     *           "entitlementIds": [
                     *             "ent_01m1e3559gt24pw1mgrr7eq4ch"
                     *           ],
                     *           "createdAt": "2026-09-01T09:00:11.000Z",
                     *           "updatedAt": "2026-09-01T09:00:15.000Z"
                     *         },
                     *         {
                     *           "object": "product",
                     *           "id": "prod_01m1e353b01yg9sycnjked0ehf",
                     *           "appId": "app_01m1e34wg8c5k5kgvhzdd4th4m",
                     *           "store": "android-store",
                     *           "storeProductId": "com.example.stargazer.pro.month",
                     *           "displayName": "Pro, monthly",
                     *           "type": "subscription",
                     *           "duration": "P1M",
                     *           "trialDuration": "P1W",
                     *           "gracePeriodDuration": "P16D",
                     *           "prices": [],
                     *           "entitlementIds": [
                     *             "ent_01m1e3559gt24pw1mgrr7eq4ch"
                     *           ],
                     *           "createdAt": "2026-09-01T09:00:12.000Z",
                     *           "updatedAt": "2026-09-01T09:00:15.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["EntitlementWithProducts"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAttachedProducts: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Entitlement, by id (`ent_…`) or `lookupKey`. */
                eid: string;
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [
                     *         {
                     *           "object": "product",
                     *           "id": "prod_01m1e350d8mgtbsaqea3k7vwrg",
                     *           "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *           "store": "ios-store",
                     *           "storeProductId": "com.example.stargazer.pro.year",
                     *           "displayName": "Pro, yearly",
                     *           "type": "subscription",
                     *           "duration": "P1Y",
                     *           "trialDuration": null,
                     *           "gracePeriodDuration": "P16D",
                     *           "prices": [],
                     *           "entitlementIds": [
                     *             "ent_01m1e3559gt24pw1mgrr7eq4ch"
                     *           ],
                     *           "createdAt": "2026-09-01T09:00:09.000Z",
                     *           "updatedAt": "2026-09-01T09:00:15.000Z"
                     *         },
                     *         {
                     *           "object": "product",
                     *           "id": "prod_01m1e351cgj9qhvd2ykta871v4",
                     *           "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *           "store": "ios-store",
                     *           "storeProductId": "com.example.stargazer.pro.month",
                     *           "displayName": "Pro, monthly",
                     *           "type": "subscription",
                     *           "duration": "P1M",
                     *           "trialDuration": "P1W",
                     *           "gracePeriodDuration": "P16D",
                     *           "prices": [
                     *             {
                     *               "object": "price",
                     *               "id": "price_01m1e354a87egybrttm9s6bcka",
                     *               "productId": "prod_01m1e351cgj9qhvd2ykta871v4",
                     *               "amount": 9.99,
                     *               "amountMicros": 9990000,
                     *               "currency": "USD",
                     *               "country": "US",
                     *               "startsAt": null
                     *             }
                     *           ],
                     *           "entitlementIds": [
                     *             "ent_01m1e3559gt24pw1mgrr7eq4ch"
                     *           ],
                     *           "createdAt": "2026-09-01T09:00:10.000Z",
                     *           "updatedAt": "2026-09-01T09:00:15.000Z"
                     *         },
                     *         {
                     *           "object": "product",
                     *           "id": "prod_01m1e352brtw6knw1szf94t5fn",
                     *           "appId": "app_01m1e34wg8c5k5kgvhzdd4th4m",
                     *           "store": "android-store",
                     *           "storeProductId": "com.example.stargazer.pro.year",
                     *           "displayName": "Pro, yearly",
                     *           "type": "subscription",
                     *           "duration": "P1Y",
                     *           "trialDuration": null,
                     *           "gracePeriodDuration": "P16D",
                     *           "prices": [],
                     *           "entitlementIds": [
                     *             "ent_01m1e3559gt24pw1mgrr7eq4ch"
                     *           ],
                     *           "createdAt": "2026-09-01T09:00:11.000Z",
                     *           "updatedAt": "2026-09-01T09:00:15.000Z"
                     *         },
                     *         {
                     *           "object": "product",
                     *           "id": "prod_01m1e353b01yg9sycnjked0ehf",
                     *           "appId": "app_01m1e34wg8c5k5kgvhzdd4th4m",
                     *           "store": "android-store",
                     *           "storeProductId": "com.example.stargazer.pro.month",
                     *           "displayName": "Pro, monthly",
                     *           "type": "subscription",
                     *           "duration": "P1M",
                     *           "trialDuration": "P1W",
                     *           "gracePeriodDuration": "P16D",
                     *           "prices": [],
                     *           "entitlementIds": [
                     *             "ent_01m1e3559gt24pw1mgrr7eq4ch"
                     *           ],
                     *           "createdAt": "2026-09-01T09:00:12.000Z",
                     *           "updatedAt": "2026-09-01T09:00:15.000Z"
                     *         }
                     *       ],
                     *       "nextPage": null,
                     *       "url": "/v1/projects/proj_01m1e34thrvetvggrrhzg38y99/entitlements/pro/products"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Product"][];
                        /** @description Path and query of the next page; null on the last one. */
                        nextPage: string | null;
                        /** @constant */
                        object: "list";
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    attachProduct: {
        parameters: {
            query?: {
                productIds?: string;
            };
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Entitlement, by id (`ent_…`) or `lookupKey`. */
                eid: string;
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "productIds": [
                 *         "prod_01k9zq3v8n4t5w6x7y8z9a0b1c"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["AttachProductBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "entitlement",
                     *       "id": "ent_01m1e3559gt24pw1mgrr7eq4ch",
                     *       "lookupKey": "pro",
                     *       "displayName": "Pro",
                     *       "description": null,
                     *       "createdAt": "2026-09-01T09:00:14.000Z",
                     *       "updatedAt": "2026-09-01T09:00:15.000Z",
                     *       "products": [
                     *         {
                     *           "object": "product",
                     *           "id": "prod_01m1e350d8mgtbsaqea3k7vwrg",
                     *           "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *           "store": "ios-store",
                     *           "storeProductId": "com.example.stargazer.pro.year",
                     *           "displayName": "Pro, yearly",
                     *           "type": "subscription",
                     *           "duration": "P1Y",
                     *           "trialDuration": null,
                     *           "gracePeriodDuration": "P16D",
                     *           "prices": [],
                     *           "entitlementIds": [
                     *             "ent_01m1e3559gt24pw1mgrr7eq4ch"
                     *           ],
                     *           "createdAt": "2026-09-01T09:00:09.000Z",
                     *           "updatedAt": "2026-09-01T09:00:15.000Z"
                     *         },
                     *         {
                     *           "object": "product",
                     *           "id": "prod_01m1e351cgj9qhvd2ykta871v4",
                     *           "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *           "store": "ios-store",
                     *           "storeProductId": "com.example.stargazer.pro.month",
                     *           "displayName": "Pro, monthly",
                     *           "type": "subscription",
                     *           "duration": "P1M",
                     *           "trialDuration": "P1W",
                     *           "gracePeriodDuration": "P16D",
                     *           "prices": [
                     *             {
                     *               "object": "price",
                     *               "id": "price_01m1e354a87egybrttm9s6bcka",
                     *               "productId": "prod_01m1e351cgj9qhvd2ykta871v4",
                     *               "amount": 9.99,
                     *               "amountMicros": 9990000,
                     *               "currency": "USD",
                     *               "country": "US",
                     *               "startsAt": null
                     *             }
                     *           ],
                     *           "entitlementIds": [
                     *             "ent_01m1e3559gt24pw1mgrr7eq4ch"
                     *           ],
                     *           "createdAt": "2026-09-01T09:00:10.000Z",
                     *           "updatedAt": "2026-09-01T09:00:15.000Z"
                     *         },
                     *         {
                     *           "object": "product",
                     *           "id": "prod_01m1e352brtw6knw1szf94t5fn",
                     *           "appId": "app_01m1e34wg8c5k5kgvhzdd4th4m",
                     *           "store": "android-store",
                     *           "storeProductId": "com.example.stargazer.pro.year",
                     *           "displayName": "Pro, yearly",
                     *           "type": "subscription",
                     *           "duration": "P1Y",
                     *           "trialDuration": null,
                     *           "gracePeriodDuration": "P16D",
                     *           "prices": [],
                     *           "entitlementIds": [
                     *             "ent_01m1e3559gt24pw1mgrr7eq4ch"
                     *           ],
                     *           "createdAt": "2026-09-01T09:00:11.000Z",
                     *           "updatedAt": "2026-09-01T09:00:15.000Z"
                     *         },
                     *         {
                     *           "object": "product",
                     *           "id": "prod_01m1e353b01yg9sycnjked0ehf",
                     *           "appId": "app_01m1e34wg8c5k5kgvhzdd4th4m",
                     *           "store": "android-store",
                     *           "storeProductId": "com.example.stargazer.pro.month",
                     *           "displayName": "Pro, monthly",
                     *           "type": "subscription",
                     *           "duration": "P1M",
                     *           "trialDuration": "P1W",
                     *           "gracePeriodDuration": "P16D",
                     *           "prices": [],
                     *           "entitlementIds": [
                     *             "ent_01m1e3559gt24pw1mgrr7eq4ch"
                     *           ],
                     *           "createdAt": "2026-09-01T09:00:12.000Z",
                     *           "updatedAt": "2026-09-01T09:00:15.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["EntitlementWithProducts"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    detachProduct: {
        parameters: {
            query?: {
                productIds?: string;
            };
            header?: never;
            path: {
                /** @description Entitlement, by id (`ent_…`) or `lookupKey`. */
                eid: string;
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "productIds": [
                 *         "prod_01k9zq3v8n4t5w6x7y8z9a0b1c"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["DetachProductBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "entitlement",
                     *       "id": "ent_01m1e3559gt24pw1mgrr7eq4ch",
                     *       "lookupKey": "pro",
                     *       "displayName": "Pro, all features",
                     *       "description": null,
                     *       "createdAt": "2026-09-01T09:00:14.000Z",
                     *       "updatedAt": "2026-11-20T10:01:02.000Z",
                     *       "products": [
                     *         {
                     *           "object": "product",
                     *           "id": "prod_01m1e350d8mgtbsaqea3k7vwrg",
                     *           "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *           "store": "ios-store",
                     *           "storeProductId": "com.example.stargazer.pro.year",
                     *           "displayName": "Pro, yearly",
                     *           "type": "subscription",
                     *           "duration": "P1Y",
                     *           "trialDuration": null,
                     *           "gracePeriodDuration": "P16D",
                     *           "prices": [],
                     *           "entitlementIds": [
                     *             "ent_01m1e3559gt24pw1mgrr7eq4ch"
                     *           ],
                     *           "createdAt": "2026-09-01T09:00:09.000Z",
                     *           "updatedAt": "2026-09-01T09:00:15.000Z"
                     *         },
                     *         {
                     *           "object": "product",
                     *           "id": "prod_01m1e352brtw6knw1szf94t5fn",
                     *           "appId": "app_01m1e34wg8c5k5kgvhzdd4th4m",
                     *           "store": "android-store",
                     *           "storeProductId": "com.example.stargazer.pro.year",
                     *           "displayName": "Pro, yearly",
                     *           "type": "subscription",
                     *           "duration": "P1Y",
                     *           "trialDuration": null,
                     *           "gracePeriodDuration": "P16D",
                     *           "prices": [],
                     *           "entitlementIds": [
                     *             "ent_01m1e3559gt24pw1mgrr7eq4ch"
                     *           ],
                     *           "createdAt": "2026-09-01T09:00:11.000Z",
                     *           "updatedAt": "2026-09-01T09:00:15.000Z"
                     *         },
                     *         {
                     *           "object": "product",
                     *           "id": "prod_01m1e353b01yg9sycnjked0ehf",
                     *           "appId": "app_01m1e34wg8c5k5kgvhzdd4th4m",
                     *           "store": "android-store",
                     *           "storeProductId": "com.example.stargazer.pro.month",
                     *           "displayName": "Pro, monthly",
                     *           "type": "subscription",
                     *           "duration": "P1M",
                     *           "trialDuration": "P1W",
                     *           "gracePeriodDuration": "P16D",
                     *           "prices": [],
                     *           "entitlementIds": [
                     *             "ent_01m1e3559gt24pw1mgrr7eq4ch"
                     *           ],
                     *           "createdAt": "2026-09-01T09:00:12.000Z",
                     *           "updatedAt": "2026-09-01T09:00:15.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["EntitlementWithProducts"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCustomEvents: {
        parameters: {
            query?: {
                customer?: string;
                limit?: number;
                name?: string;
                since?: string;
                startingAfter?: string;
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [
                     *         {
                     *           "object": "event",
                     *           "id": "9194ebd7-74ff-5d95-a4aa-edc0fcf54c4a",
                     *           "customerId": "cus_txz8hs5cq162pz7g310v8j6dt8",
                     *           "appUserId": "alice",
                     *           "name": "paywall_impression",
                     *           "properties": {
                     *             "placement": "start"
                     *           },
                     *           "occurredAt": "2026-09-02T08:14:33.000Z",
                     *           "recordedAt": "2026-09-02T08:14:33.000Z",
                     *           "eventId": "47f44ec3-6c41-58d9-a82a-ff353eaaef9b"
                     *         }
                     *       ],
                     *       "nextPage": null,
                     *       "url": "/v1/projects/proj_01m1e34thrvetvggrrhzg38y99/events"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["CustomEvent"][];
                        /** @description Path and query of the next page; null on the last one. */
                        nextPage: string | null;
                        /** @constant */
                        object: "list";
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listExperiments: {
        parameters: {
            query?: {
                limit?: number;
                startingAfter?: string;
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [
                     *         {
                     *           "object": "experiment",
                     *           "id": "exp_01m1e35ky82g1zcst778jj9z4m",
                     *           "name": "Yearly first?",
                     *           "description": "Does it bring more to show the year first?",
                     *           "status": "running",
                     *           "enrollmentPercentage": 100,
                     *           "audience": {
                     *             "countries": null,
                     *             "platforms": null,
                     *             "appIds": null,
                     *             "minAppVersion": null
                     *           },
                     *           "primaryMetric": "realized_ltv_per_customer",
                     *           "winnerVariantId": null,
                     *           "startedAt": "2026-09-01T09:00:32.000Z",
                     *           "stoppedAt": null,
                     *           "createdAt": "2026-09-01T09:00:29.000Z",
                     *           "updatedAt": "2026-09-01T09:00:32.000Z"
                     *         }
                     *       ],
                     *       "nextPage": null,
                     *       "url": "/v1/projects/proj_01m1e34thrvetvggrrhzg38y99/experiments"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Experiment"][];
                        /** @description Path and query of the next page; null on the last one. */
                        nextPage: string | null;
                        /** @constant */
                        object: "list";
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createExperiment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateExperimentBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "experiment",
                     *       "id": "exp_01m7w6dp105cssp2vj946cg6tw",
                     *       "name": "Another price",
                     *       "description": null,
                     *       "status": "draft",
                     *       "enrollmentPercentage": 100,
                     *       "audience": {
                     *         "countries": null,
                     *         "platforms": null,
                     *         "appIds": null,
                     *         "minAppVersion": null
                     *       },
                     *       "primaryMetric": "realized_ltv_per_customer",
                     *       "winnerVariantId": null,
                     *       "startedAt": null,
                     *       "stoppedAt": null,
                     *       "createdAt": "2026-11-20T10:00:52.000Z",
                     *       "updatedAt": "2026-11-20T10:00:52.000Z",
                     *       "variants": [],
                     *       "results": [],
                     *       "comparison": {
                     *         "method": "welch_normal",
                     *         "unit": "usd",
                     *         "isLowerBetter": false,
                     *         "definition": "Chance to win: probability that the variant’s true mean is better than the control’s. The difference of the means over customers, including those with nothing, is taken as normal with Welch’s standard error (variances may differ). Interval: 95 % for that difference. Assumes that customers decide independently and that no few customers make most of the sum.",
                     *         "minCustomers": 100,
                     *         "minOutcomes": 30
                     *       },
                     *       "ratioCheck": {
                     *         "chance": null,
                     *         "threshold": 0.001,
                     *         "isSuspicious": false
                     *       },
                     *       "segments": []
                     *     }
                     */
                    "application/json": components["schemas"]["ExperimentDetail"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getExperimentDetails: {
        parameters: {
            query?: {
                /** @description Adds the results by the country or platform that the customer was created with. */
                segment?: "country" | "platform";
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Experiment id (`exp_…`). */
                eid: string;
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "experiment",
                     *       "id": "exp_01m1e35ky82g1zcst778jj9z4m",
                     *       "name": "Yearly first?",
                     *       "description": "Does it bring more to show the year first?",
                     *       "status": "running",
                     *       "enrollmentPercentage": 100,
                     *       "audience": {
                     *         "countries": null,
                     *         "platforms": null,
                     *         "appIds": null,
                     *         "minAppVersion": null
                     *       },
                     *       "primaryMetric": "realized_ltv_per_customer",
                     *       "winnerVariantId": null,
                     *       "startedAt": "2026-09-01T09:00:32.000Z",
                     *       "stoppedAt": null,
                     *       "createdAt": "2026-09-01T09:00:29.000Z",
                     *       "updatedAt": "2026-09-01T09:00:32.000Z",
                     *       "variants": [
                     *         {
                     *           "object": "variant",
                     *           "id": "var_01m1e35mxgkzrg878za455gjpb",
                     *           "experimentId": "exp_01m1e35ky82g1zcst778jj9z4m",
                     *           "name": "as it is",
                     *           "offeringId": "ofr_01m1e357804fbkv0zrhh7az7td",
                     *           "weight": 1,
                     *           "isControl": true,
                     *           "createdAt": "2026-09-01T09:00:30.000Z"
                     *         },
                     *         {
                     *           "object": "variant",
                     *           "id": "var_01m1e35nwrn0wqse9njyw4ffp2",
                     *           "experimentId": "exp_01m1e35ky82g1zcst778jj9z4m",
                     *           "name": "yearly first",
                     *           "offeringId": "ofr_01m1e35c48hxtwbhadkqnx9sfg",
                     *           "weight": 1,
                     *           "isControl": false,
                     *           "createdAt": "2026-09-01T09:00:31.000Z"
                     *         }
                     *       ],
                     *       "results": [
                     *         {
                     *           "variantId": "var_01m1e35mxgkzrg878za455gjpb",
                     *           "name": "as it is",
                     *           "isControl": true,
                     *           "customers": 0,
                     *           "initialConversions": 0,
                     *           "initialConversionRate": null,
                     *           "trialsStarted": 0,
                     *           "trialsCompleted": 0,
                     *           "trialsConverted": 0,
                     *           "trialConversionRate": null,
                     *           "payingCustomers": 0,
                     *           "conversionToPayingRate": null,
                     *           "activeSubscribers": 0,
                     *           "churnedSubscribers": 0,
                     *           "refundedCustomers": 0,
                     *           "realizedLtvUsd": 0,
                     *           "realizedLtvPerCustomer": null,
                     *           "realizedLtvPerPayingCustomer": null,
                     *           "mrr": 0,
                     *           "mrrPerCustomer": null,
                     *           "chanceToWin": null,
                     *           "primary": {
                     *             "value": null,
                     *             "difference": null,
                     *             "interval": null,
                     *             "chanceToWin": null,
                     *             "missing": null
                     *           }
                     *         },
                     *         {
                     *           "variantId": "var_01m1e35nwrn0wqse9njyw4ffp2",
                     *           "name": "yearly first",
                     *           "isControl": false,
                     *           "customers": 3,
                     *           "initialConversions": 1,
                     *           "initialConversionRate": 0.3333333333333333,
                     *           "trialsStarted": 0,
                     *           "trialsCompleted": 0,
                     *           "trialsConverted": 0,
                     *           "trialConversionRate": null,
                     *           "payingCustomers": 1,
                     *           "conversionToPayingRate": 0.3333333333333333,
                     *           "activeSubscribers": 2,
                     *           "churnedSubscribers": 0,
                     *           "refundedCustomers": 1,
                     *           "realizedLtvUsd": 19.98,
                     *           "realizedLtvPerCustomer": 6.66,
                     *           "realizedLtvPerPayingCustomer": 19.98,
                     *           "mrr": 19.98,
                     *           "mrrPerCustomer": 6.66,
                     *           "chanceToWin": {
                     *             "initialConversionRate": null,
                     *             "trialConversionRate": null,
                     *             "conversionToPayingRate": null
                     *           },
                     *           "primary": {
                     *             "value": 6.659999999999999,
                     *             "difference": null,
                     *             "interval": null,
                     *             "chanceToWin": null,
                     *             "missing": {
                     *               "customers": 100,
                     *               "outcomes": 30
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "comparison": {
                     *         "method": "welch_normal",
                     *         "unit": "usd",
                     *         "isLowerBetter": false,
                     *         "definition": "Chance to win: probability that the variant’s true mean is better than the control’s. The difference of the means over customers, including those with nothing, is taken as normal with Welch’s standard error (variances may differ). Interval: 95 % for that difference. Assumes that customers decide independently and that no few customers make most of the sum.",
                     *         "minCustomers": 100,
                     *         "minOutcomes": 30
                     *       },
                     *       "ratioCheck": {
                     *         "chance": null,
                     *         "threshold": 0.001,
                     *         "isSuspicious": false
                     *       },
                     *       "segments": []
                     *     }
                     */
                    "application/json": components["schemas"]["ExperimentDetail"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteExperiment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Experiment id (`exp_…`). */
                eid: string;
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "experiment",
                     *       "id": "exp_01m7w6dp105cssp2vj946cg6tw",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        deleted: true;
                        id: string;
                        /** @constant */
                        object: "experiment";
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateExperiment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Experiment id (`exp_…`). */
                eid: string;
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateExperimentBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "experiment",
                     *       "id": "exp_01m1e35ky82g1zcst778jj9z4m",
                     *       "name": "Yearly first?",
                     *       "description": "Does it bring more to show the year first?",
                     *       "status": "stopped",
                     *       "enrollmentPercentage": 100,
                     *       "audience": {
                     *         "countries": null,
                     *         "platforms": null,
                     *         "appIds": null,
                     *         "minAppVersion": null
                     *       },
                     *       "primaryMetric": "realized_ltv_per_customer",
                     *       "winnerVariantId": null,
                     *       "startedAt": "2026-09-01T09:00:32.000Z",
                     *       "stoppedAt": "2026-11-20T10:00:51.000Z",
                     *       "createdAt": "2026-09-01T09:00:29.000Z",
                     *       "updatedAt": "2026-11-20T10:00:51.000Z",
                     *       "variants": [
                     *         {
                     *           "object": "variant",
                     *           "id": "var_01m1e35mxgkzrg878za455gjpb",
                     *           "experimentId": "exp_01m1e35ky82g1zcst778jj9z4m",
                     *           "name": "as it is",
                     *           "offeringId": "ofr_01m1e357804fbkv0zrhh7az7td",
                     *           "weight": 1,
                     *           "isControl": true,
                     *           "createdAt": "2026-09-01T09:00:30.000Z"
                     *         },
                     *         {
                     *           "object": "variant",
                     *           "id": "var_01m1e35nwrn0wqse9njyw4ffp2",
                     *           "experimentId": "exp_01m1e35ky82g1zcst778jj9z4m",
                     *           "name": "yearly first",
                     *           "offeringId": "ofr_01m1e35c48hxtwbhadkqnx9sfg",
                     *           "weight": 1,
                     *           "isControl": false,
                     *           "createdAt": "2026-09-01T09:00:31.000Z"
                     *         }
                     *       ],
                     *       "results": [
                     *         {
                     *           "variantId": "var_01m1e35mxgkzrg878za455gjpb",
                     *           "name": "as it is",
                     *           "isControl": true,
                     *           "customers": 1,
                     *           "initialConversions": 0,
                     *           "initialConversionRate": 0,
                     *           "trialsStarted": 0,
                     *           "trialsCompleted": 0,
                     *           "trialsConverted": 0,
                     *           "trialConversionRate": null,
                     *           "payingCustomers": 0,
                     *           "conversionToPayingRate": 0,
                     *           "activeSubscribers": 0,
                     *           "churnedSubscribers": 0,
                     *           "refundedCustomers": 0,
                     *           "realizedLtvUsd": 0,
                     *           "realizedLtvPerCustomer": 0,
                     *           "realizedLtvPerPayingCustomer": null,
                     *           "mrr": 0,
                     *           "mrrPerCustomer": 0,
                     *           "chanceToWin": null,
                     *           "primary": {
                     *             "value": 0,
                     *             "difference": null,
                     *             "interval": null,
                     *             "chanceToWin": null,
                     *             "missing": null
                     *           }
                     *         },
                     *         {
                     *           "variantId": "var_01m1e35nwrn0wqse9njyw4ffp2",
                     *           "name": "yearly first",
                     *           "isControl": false,
                     *           "customers": 3,
                     *           "initialConversions": 1,
                     *           "initialConversionRate": 0.3333333333333333,
                     *           "trialsStarted": 0,
                     *           "trialsCompleted": 0,
                     *           "trialsConverted": 0,
                     *           "trialConversionRate": null,
                     *           "payingCustomers": 1,
                     *           "conversionToPayingRate": 0.3333333333333333,
                     *           "activeSubscribers": 2,
                     *           "churnedSubscribers": 0,
                     *           "refundedCustomers": 1,
                     *           "realizedLtvUsd": 19.98,
                     *           "realizedLtvPerCustomer": 6.66,
                     *           "realizedLtvPerPayingCustomer": 19.98,
                     *           "mrr": 19.98,
                     *           "mrrPerCustomer": 6.66,
                     *           "chanceToWin": {
                     *             "initialConversionRate": null,
                     *             "trialConversionRate": null,
                     *             "conversionToPayingRate": null
                     *           },
                     *           "primary": {
                     *             "value": 6.659999999999999,
                     *             "difference": 6.659999999999999,
                     *             "interval": null,
                     *             "chanceToWin": null,
                     *             "missing": {
                     *               "customers": 99,
                     *               "outcomes": 30
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "comparison": {
                     *         "method": "welch_normal",
                     *         "unit": "usd",
                     *         "isLowerBetter": false,
                     *         "definition": "Chance to win: probability that the variant’s true mean is better than the control’s. The difference of the means over customers, including those with nothing, is taken as normal with Welch’s standard error (variances may differ). Interval: 95 % for that difference. Assumes that customers decide independently and that no few customers make most of the sum.",
                     *         "minCustomers": 100,
                     *         "minOutcomes": 30
                     *       },
                     *       "ratioCheck": {
                     *         "chance": null,
                     *         "threshold": 0.001,
                     *         "isSuspicious": false
                     *       },
                     *       "segments": []
                     *     }
                     */
                    "application/json": components["schemas"]["ExperimentDetail"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    addVariant: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Experiment id (`exp_…`). */
                eid: string;
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddVariantBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "variant",
                     *       "id": "var_01m7w6dq086k4bj49n69xa7nc0",
                     *       "experimentId": "exp_01m7w6dp105cssp2vj946cg6tw",
                     *       "name": "as it is",
                     *       "offeringId": "ofr_01m1e357804fbkv0zrhh7az7td",
                     *       "weight": 1,
                     *       "isControl": true,
                     *       "createdAt": "2026-11-20T10:00:53.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Variant"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteVariant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Experiment id (`exp_…`). */
                eid: string;
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Variant id (`var_…`). */
                vid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "variant",
                     *       "id": "var_01m7w6dq086k4bj49n69xa7nc0",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        deleted: true;
                        id: string;
                        /** @constant */
                        object: "variant";
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listImports: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [
                     *         {
                     *           "object": "import",
                     *           "id": "imp_01m7w6d2k4e8r9t0y1u2i3o4pa",
                     *           "createdAt": "2026-11-20T10:00:32.000Z",
                     *           "finishedAt": "2026-11-20T10:00:34.000Z",
                     *           "state": "checked",
                     *           "files": [
                     *             "transactions.csv.gz"
                     *           ],
                     *           "progress": null,
                     *           "problem": null,
                     *           "isConfirmed": false,
                     *           "options": {
                     *             "sandbox": "skip",
                     *             "usd": "keep",
                     *             "otherStores": "skip",
                     *             "appIds": []
                     *           },
                     *           "report": {
                     *             "dryRun": true,
                     *             "files": [
                     *               {
                     *                 "name": "transactions.csv.gz",
                     *                 "kind": "transactions",
                     *                 "rows": 2,
                     *                 "ignoredColumns": [
                     *                   "tags"
                     *                 ],
                     *                 "missing": []
                     *               }
                     *             ],
                     *             "digest": "5d0a7cf1c6a4c1f3c0d6a4bb1f8c7a39d2f40e0bd25f3e8d1b6c9a7e4f2d3c18",
                     *             "customers": 1,
                     *             "aliases": 0,
                     *             "grants": 0,
                     *             "purchaseLines": 1,
                     *             "activeSubscriptions": 1,
                     *             "transactions": {
                     *               "ios-store": 2
                     *             },
                     *             "refunds": 0,
                     *             "events": {
                     *               "CustomerCreated": 1,
                     *               "SubscriptionRenewed": 1,
                     *               "SubscriptionStarted": 1
                     *             },
                     *             "gross": [
                     *               {
                     *                 "month": "2026-10",
                     *                 "currency": "USD",
                     *                 "amountMicros": 9990000
                     *               },
                     *               {
                     *                 "month": "2026-11",
                     *                 "currency": "USD",
                     *                 "amountMicros": 9990000
                     *               }
                     *             ],
                     *             "firstPurchaseAt": "2026-10-10T08:00:00.000Z",
                     *             "lastPurchaseAt": "2026-11-10T08:00:00.000Z",
                     *             "unknownProducts": [],
                     *             "problems": []
                     *           }
                     *         }
                     *       ],
                     *       "nextPage": null,
                     *       "url": "/v1/projects/proj_01m1e34thrvetvggrrhzg38y99/imports"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Import"][];
                        /** @description Path and query of the next page; null on the last one. */
                        nextPage: string | null;
                        /** @constant */
                        object: "list";
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    uploadFileToImport: {
        parameters: {
            query: {
                /** @description Apps to choose if the project has several of a store, separated by commas. */
                appId?: string;
                /** @description Name of the file in reports. The format follows from the content. */
                fileName: string;
                /** @description `grant` gives purchases of other stores their access until they end. */
                otherStores?: "skip" | "grant";
                /** @description `keep` imports sandbox purchases as such. */
                sandbox?: "skip" | "keep";
                /** @description `keep` uses the US dollar values of the file, `ours` the rates of this service. */
                usd?: "keep" | "ours";
            };
            header?: never;
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Accepted for later processing; the response says what is missing. */
            202: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "import",
                     *       "id": "imp_01m7w6d2k4e8r9t0y1u2i3o4pa",
                     *       "createdAt": "2026-11-20T10:00:32.000Z",
                     *       "finishedAt": null,
                     *       "state": "waiting",
                     *       "files": [
                     *         "transactions.csv.gz"
                     *       ],
                     *       "progress": null,
                     *       "problem": null,
                     *       "isConfirmed": false,
                     *       "options": {
                     *         "sandbox": "skip",
                     *         "usd": "keep",
                     *         "otherStores": "skip",
                     *         "appIds": []
                     *       },
                     *       "report": null
                     *     }
                     */
                    "application/json": components["schemas"]["Import"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getImport: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Import id (`imp_…`). */
                importId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "import",
                     *       "id": "imp_01m7w6d2k4e8r9t0y1u2i3o4pa",
                     *       "createdAt": "2026-11-20T10:00:32.000Z",
                     *       "finishedAt": "2026-11-20T10:00:34.000Z",
                     *       "state": "checked",
                     *       "files": [
                     *         "transactions.csv.gz"
                     *       ],
                     *       "progress": null,
                     *       "problem": null,
                     *       "isConfirmed": false,
                     *       "options": {
                     *         "sandbox": "skip",
                     *         "usd": "keep",
                     *         "otherStores": "skip",
                     *         "appIds": []
                     *       },
                     *       "report": {
                     *         "dryRun": true,
                     *         "files": [
                     *           {
                     *             "name": "transactions.csv.gz",
                     *             "kind": "transactions",
                     *             "rows": 2,
                     *             "ignoredColumns": [
                     *               "tags"
                     *             ],
                     *             "missing": []
                     *           }
                     *         ],
                     *         "digest": "5d0a7cf1c6a4c1f3c0d6a4bb1f8c7a39d2f40e0bd25f3e8d1b6c9a7e4f2d3c18",
                     *         "customers": 1,
                     *         "aliases": 0,
                     *         "grants": 0,
                     *         "purchaseLines": 1,
                     *         "activeSubscriptions": 1,
                     *         "transactions": {
                     *           "ios-store": 2
                     *         },
                     *         "refunds": 0,
                     *         "events": {
                     *           "CustomerCreated": 1,
                     *           "SubscriptionRenewed": 1,
                     *           "SubscriptionStarted": 1
                     *         },
                     *         "gross": [
                     *           {
                     *             "month": "2026-10",
                     *             "currency": "USD",
                     *             "amountMicros": 9990000
                     *           },
                     *           {
                     *             "month": "2026-11",
                     *             "currency": "USD",
                     *             "amountMicros": 9990000
                     *           }
                     *         ],
                     *         "firstPurchaseAt": "2026-10-10T08:00:00.000Z",
                     *         "lastPurchaseAt": "2026-11-10T08:00:00.000Z",
                     *         "unknownProducts": [],
                     *         "problems": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Import"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    confirmImport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Import id (`imp_…`). */
                importId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "digest": "3b0c7bb3b1e0a1cbdc1b8a3a9b4e3c0c2a3b3bd0e6d2e3c2f3a0c6f5b1d2e4f7"
                 *     }
                 */
                "application/json": components["schemas"]["ConfirmImportBody"];
            };
        };
        responses: {
            /** @description Accepted for later processing; the response says what is missing. */
            202: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "import",
                     *       "id": "imp_01m7w6d2k4e8r9t0y1u2i3o4pa",
                     *       "createdAt": "2026-11-20T10:00:32.000Z",
                     *       "finishedAt": "2026-11-20T10:00:34.000Z",
                     *       "state": "waiting",
                     *       "files": [
                     *         "transactions.csv.gz"
                     *       ],
                     *       "progress": null,
                     *       "problem": null,
                     *       "isConfirmed": true,
                     *       "options": {
                     *         "sandbox": "skip",
                     *         "usd": "keep",
                     *         "otherStores": "skip",
                     *         "appIds": []
                     *       },
                     *       "report": null
                     *     }
                     */
                    "application/json": components["schemas"]["Import"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    addFileToImport: {
        parameters: {
            query: {
                /** @description Name of the file in reports. The format follows from the content. */
                fileName: string;
            };
            header?: never;
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Import id (`imp_…`). */
                importId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Accepted for later processing; the response says what is missing. */
            202: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "import",
                     *       "id": "imp_01m7w6d2k4e8r9t0y1u2i3o4pa",
                     *       "createdAt": "2026-11-20T10:00:32.000Z",
                     *       "finishedAt": null,
                     *       "state": "waiting",
                     *       "files": [
                     *         "transactions.csv.gz",
                     *         "customers.csv.gz"
                     *       ],
                     *       "progress": null,
                     *       "problem": null,
                     *       "isConfirmed": false,
                     *       "options": {
                     *         "sandbox": "skip",
                     *         "usd": "keep",
                     *         "otherStores": "skip",
                     *         "appIds": []
                     *       },
                     *       "report": null
                     *     }
                     */
                    "application/json": components["schemas"]["Import"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    watchLiveFeed: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "at": "2026-09-02T08:14:31.000Z",
                     *       "kind": "CustomerCreated",
                     *       "customerId": "cus_txz8hs5cq162pz7g310v8j6dt8",
                     *       "ms": null,
                     *       "eventId": "8d6a6cda-2a9a-5c0f-a28b-039237eeddc6",
                     *       "recordedAt": "2026-09-02T08:14:31.000Z",
                     *       "notificationId": null,
                     *       "summary": "Customer alice was created through the app."
                     *     }
                     */
                    "text/event-stream": components["schemas"]["LiveNotification"] | components["schemas"]["LiveEvent"] | components["schemas"]["LiveDelivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listMembers: {
        parameters: {
            query?: {
                limit?: number;
                startingAfter?: string;
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [
                     *         {
                     *           "object": "member",
                     *           "id": "usr_01m7w6df68wewfqywcptavfscr",
                     *           "email": "grace@example.com",
                     *           "name": "Grace",
                     *           "role": "analyst",
                     *           "joinedAt": "2026-11-20T10:00:46.000Z",
                     *           "lastLoginAt": "2026-11-20T10:00:45.000Z",
                     *           "hasSecondFactor": false
                     *         },
                     *         {
                     *           "object": "member",
                     *           "id": "usr_01m1e34rk824ed3rrvxdvkdqjm",
                     *           "email": "ada@example.com",
                     *           "name": "Ada",
                     *           "role": "owner",
                     *           "joinedAt": "2026-09-01T09:00:03.000Z",
                     *           "lastLoginAt": "2026-11-20T10:00:01.000Z",
                     *           "hasSecondFactor": false
                     *         },
                     *         {
                     *           "object": "invitation",
                     *           "id": "inv_01m7w6dh4rmfajhccsdhg23tpx",
                     *           "email": "linus@example.com",
                     *           "role": "viewer",
                     *           "invitedAt": "2026-11-20T10:00:47.000Z",
                     *           "expiresAt": "2026-11-27T10:00:47.000Z"
                     *         }
                     *       ],
                     *       "nextPage": null,
                     *       "url": "/v1/projects/proj_01m1e34thrvetvggrrhzg38y99/members"
                     *     }
                     */
                    "application/json": {
                        items: (components["schemas"]["Member"] | components["schemas"]["Invitation"])[];
                        /** @description Path and query of the next page; null on the last one. */
                        nextPage: string | null;
                        /** @constant */
                        object: "list";
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    inviteMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "grace@example.com",
                 *       "role": "support"
                 *     }
                 */
                "application/json": components["schemas"]["InviteMemberBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "invitation",
                     *       "id": "inv_01m7w6dh4rmfajhccsdhg23tpx",
                     *       "email": "linus@example.com",
                     *       "role": "viewer",
                     *       "invitedAt": "2026-11-20T10:00:47.000Z",
                     *       "expiresAt": "2026-11-27T10:00:47.000Z",
                     *       "token": "inv_mZLz5YpjKjMZ74BrVj00ZrDIPMje5i1hPQdAf95Ck34",
                     *       "inviteUrl": "https://subledger.example.com/dashboard/invitation#inv_mZLz5YpjKjMZ74BrVj00ZrDIPMje5i1hPQdAf95Ck34"
                     *     }
                     */
                    "application/json": components["schemas"]["NewInvitation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description User id (`usr_…`). */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "member",
                     *       "id": "usr_01m7w6df68wewfqywcptavfscr",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        deleted: true;
                        id: string;
                        /** @constant */
                        object: "member";
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeRoleOfMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description User id (`usr_…`). */
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "analyst"
                 *     }
                 */
                "application/json": components["schemas"]["ChangeRoleOfMemberBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "member",
                     *       "id": "usr_01m7w6df68wewfqywcptavfscr",
                     *       "email": "grace@example.com",
                     *       "name": "Grace",
                     *       "role": "analyst",
                     *       "joinedAt": "2026-11-20T10:00:46.000Z",
                     *       "lastLoginAt": "2026-11-20T10:00:45.000Z",
                     *       "hasSecondFactor": false
                     *     }
                     */
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Invitation id (`inv_…`). */
                invitationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "invitation",
                     *       "id": "inv_01m7w6dc8gfaxbn7f1y28z5f15",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        deleted: true;
                        id: string;
                        /** @constant */
                        object: "invitation";
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAvailableChartTypes: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [
                     *         {
                     *           "object": "chart",
                     *           "id": "actives",
                     *           "name": "Active Subscriptions",
                     *           "description": "Paid subscriptions that are live at the end of each bucket, grace periods included.",
                     *           "category": "subscriptions",
                     *           "kind": "series",
                     *           "unit": "count",
                     *           "drawing": "lines",
                     *           "measures": [
                     *             {
                     *               "id": "active_subscriptions",
                     *               "name": "Active subscriptions",
                     *               "unit": "count"
                     *             }
                     *           ],
                     *           "intervals": [
                     *             "day",
                     *             "week",
                     *             "month",
                     *             "quarter",
                     *             "year"
                     *           ],
                     *           "filters": [
                     *             "store",
                     *             "appId",
                     *             "productId",
                     *             "productDuration",
                     *             "offeringId",
                     *             "offerType",
                     *             "startReason",
                     *             "country",
                     *             "platform"
                     *           ],
                     *           "segments": [
                     *             "store",
                     *             "appId",
                     *             "productId",
                     *             "productDuration",
                     *             "offeringId",
                     *             "offerType",
                     *             "startReason",
                     *             "country",
                     *             "platform"
                     *           ],
                     *           "isWatchable": false,
                     *           "selectors": {}
                     *         },
                     *         {
                     *           "object": "chart",
                     *           "id": "actives_movement",
                     *           "name": "Active Subscriptions Movement",
                     *           "description": "New subscriptions, and ended ones less those that returned.",
                     *           "category": "subscriptions",
                     *           "kind": "series",
                     *           "unit": "count",
                     *           "drawing": "movement",
                     *           "measures": [
                     *             {
                     *               "id": "new_actives",
                     *               "name": "New actives",
                     *               "unit": "count",
                     *               "part": "gain"
                     *             },
                     *             {
                     *               "id": "churned_actives",
                     *               "name": "Churned actives",
                     *               "unit": "count",
                     *               "part": "loss"
                     *             },
                     *             {
                     *               "id": "movement",
                     *               "name": "Movement",
                     *               "unit": "count",
                     *               "part": "balance"
                     *             }
                     *           ],
                     *           "intervals": [
                     *             "day",
                     *             "week",
                     *             "month",
                     *             "quarter",
                     *             "year"
                     *           ],
                     *           "filters": [
                     *             "store",
                     *             "appId",
                     *             "productId",
                     *             "productDuration",
                     *             "offeringId",
                     *             "offerType",
                     *             "startReason",
                     *             "country",
                     *             "platform"
                     *           ],
                     *           "segments": [
                     *             "store",
                     *             "appId",
                     *             "productId",
                     *             "productDuration",
                     *             "offeringId",
                     *             "offerType",
                     *             "startReason",
                     *             "country",
                     *             "platform"
                     *           ],
                     *           "isWatchable": false,
                     *           "selectors": {}
                     *         }
                     *       ],
                     *       "nextPage": null,
                     *       "url": "/v1/projects/proj_01m1e34thrvetvggrrhzg38y99/metrics/charts"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Chart"][];
                        /** @description Path and query of the next page; null on the last one. */
                        nextPage: string | null;
                        /** @constant */
                        object: "list";
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getChartData: {
        parameters: {
            query?: {
                asOf?: string;
                cohort?: "new_customers" | "initial_conversions" | "new_paying_customers";
                cohortMeasure?: "revenue" | "realized_ltv" | "realized_ltv_per_customer" | "retained_subscriptions";
                conversionTimeframe?: string;
                currency?: string;
                customerLifetime?: string;
                endDate?: string;
                environment?: "production" | "sandbox";
                filter?: string | string[];
                interval?: "day" | "week" | "month" | "quarter" | "year";
                measure?: string;
                period?: string;
                previous?: string;
                /** @description Of the chart `revenue`: `settled` takes the amounts of the stores’ reports where they have a charge or refund, which is the default where it is possible (production, USD, no filter, segment, `asOf` and replay); `estimated` takes none. */
                proceedsBasis?: "estimated" | "settled";
                productDuration?: string;
                replay?: string;
                resolution?: "day" | "week" | "month" | "quarter" | "year";
                revenueType?: "revenue" | "revenue_net_of_taxes" | "proceeds";
                segment?: "store" | "appId" | "productId" | "productDuration" | "offeringId" | "offerType" | "startReason" | "country" | "platform";
                segmentLimit?: number;
                startDate?: string;
                statusMeasure?: "actives" | "active_trials" | "mrr" | "arr";
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Chart ID, see `GET …/metrics/charts`. */
                chartId: string;
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "chartData",
                     *       "id": "revenue",
                     *       "name": "Revenue",
                     *       "kind": "series",
                     *       "unit": "usd",
                     *       "interval": "month",
                     *       "startDate": "2026-09-01",
                     *       "endDate": "2026-11-20",
                     *       "asOf": "2026-11-20T10:00:13.000Z",
                     *       "lastComputedAt": "2026-11-20T10:00:13.000Z",
                     *       "currency": "USD",
                     *       "measures": [
                     *         {
                     *           "id": "revenue",
                     *           "name": "Revenue",
                     *           "unit": "usd"
                     *         },
                     *         {
                     *           "id": "new_revenue",
                     *           "name": "New revenue",
                     *           "unit": "usd"
                     *         },
                     *         {
                     *           "id": "renewal_revenue",
                     *           "name": "Renewal revenue",
                     *           "unit": "usd"
                     *         },
                     *         {
                     *           "id": "gross_revenue",
                     *           "name": "Gross revenue",
                     *           "unit": "usd"
                     *         },
                     *         {
                     *           "id": "refunds",
                     *           "name": "Refunds",
                     *           "unit": "usd"
                     *         },
                     *         {
                     *           "id": "tax",
                     *           "name": "Tax",
                     *           "unit": "usd"
                     *         },
                     *         {
                     *           "id": "commission",
                     *           "name": "Commission",
                     *           "unit": "usd"
                     *         },
                     *         {
                     *           "id": "proceeds",
                     *           "name": "Proceeds",
                     *           "unit": "usd"
                     *         },
                     *         {
                     *           "id": "transactions",
                     *           "name": "Transactions",
                     *           "unit": "count"
                     *         },
                     *         {
                     *           "id": "unconverted_transactions",
                     *           "name": "Unconverted transactions",
                     *           "unit": "count"
                     *         }
                     *       ],
                     *       "buckets": [
                     *         {
                     *           "start": "2026-09-01T00:00:00.000Z",
                     *           "end": "2026-10-01T00:00:00.000Z",
                     *           "incomplete": false,
                     *           "values": {
                     *             "revenue": 29.97,
                     *             "new_revenue": 29.97,
                     *             "renewal_revenue": 0,
                     *             "gross_revenue": 29.97,
                     *             "refunds": 0,
                     *             "tax": 0,
                     *             "commission": 4.5,
                     *             "proceeds": 25.47,
                     *             "transactions": 3,
                     *             "unconverted_transactions": 0
                     *           }
                     *         },
                     *         {
                     *           "start": "2026-10-01T00:00:00.000Z",
                     *           "end": "2026-11-01T00:00:00.000Z",
                     *           "incomplete": false,
                     *           "values": {
                     *             "revenue": 9.99,
                     *             "new_revenue": 0,
                     *             "renewal_revenue": 9.99,
                     *             "gross_revenue": 9.99,
                     *             "refunds": 0,
                     *             "tax": 0,
                     *             "commission": 1.5,
                     *             "proceeds": 8.49,
                     *             "transactions": 1,
                     *             "unconverted_transactions": 0
                     *           }
                     *         },
                     *         {
                     *           "start": "2026-11-01T00:00:00.000Z",
                     *           "end": "2026-11-21T00:00:00.000Z",
                     *           "incomplete": true,
                     *           "values": {
                     *             "revenue": 0,
                     *             "new_revenue": -9.99,
                     *             "renewal_revenue": 9.99,
                     *             "gross_revenue": 9.99,
                     *             "refunds": 9.99,
                     *             "tax": 0,
                     *             "commission": 0,
                     *             "proceeds": 0,
                     *             "transactions": 1,
                     *             "unconverted_transactions": 0
                     *           },
                     *           "clipped": true
                     *         }
                     *       ],
                     *       "summary": {
                     *         "revenue": {
                     *           "total": 39.96,
                     *           "average": 13.32,
                     *           "last": 0
                     *         },
                     *         "new_revenue": {
                     *           "total": 19.98,
                     *           "average": 6.66,
                     *           "last": -9.99
                     *         },
                     *         "renewal_revenue": {
                     *           "total": 19.98,
                     *           "average": 6.66,
                     *           "last": 9.99
                     *         },
                     *         "gross_revenue": {
                     *           "total": 49.95,
                     *           "average": 16.65,
                     *           "last": 9.99
                     *         },
                     *         "refunds": {
                     *           "total": 9.99,
                     *           "average": 3.33,
                     *           "last": 9.99
                     *         },
                     *         "tax": {
                     *           "total": 0,
                     *           "average": 0,
                     *           "last": 0
                     *         },
                     *         "commission": {
                     *           "total": 5.99,
                     *           "average": 2,
                     *           "last": 0
                     *         },
                     *         "proceeds": {
                     *           "total": 33.97,
                     *           "average": 11.32,
                     *           "last": 0
                     *         },
                     *         "transactions": {
                     *           "total": 5,
                     *           "average": 1.67,
                     *           "last": 1
                     *         },
                     *         "unconverted_transactions": {
                     *           "total": 0,
                     *           "average": 0,
                     *           "last": 0
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ChartData"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUsualBandOfChartsDailyFigure: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Chart ID, see `GET …/metrics/charts`. */
                chartId: string;
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "usualBand",
                     *       "chartId": "revenue",
                     *       "measure": "revenue",
                     *       "unit": "usd",
                     *       "isWatched": false,
                     *       "day": "2026-11-19",
                     *       "value": 0,
                     *       "verdict": "too_small",
                     *       "band": null,
                     *       "earlier": [
                     *         {
                     *           "day": "2026-11-12",
                     *           "value": 0
                     *         },
                     *         {
                     *           "day": "2026-11-05",
                     *           "value": -9.99
                     *         },
                     *         {
                     *           "day": "2026-10-29",
                     *           "value": 0
                     *         },
                     *         {
                     *           "day": "2026-10-22",
                     *           "value": 0
                     *         },
                     *         {
                     *           "day": "2026-10-15",
                     *           "value": 0
                     *         },
                     *         {
                     *           "day": "2026-10-08",
                     *           "value": 0
                     *         },
                     *         {
                     *           "day": "2026-10-01",
                     *           "value": 0
                     *         },
                     *         {
                     *           "day": "2026-09-24",
                     *           "value": 0
                     *         },
                     *         {
                     *           "day": "2026-09-17",
                     *           "value": 0
                     *         },
                     *         {
                     *           "day": "2026-09-10",
                     *           "value": 9.99
                     *         },
                     *         {
                     *           "day": "2026-09-03",
                     *           "value": 0
                     *         }
                     *       ],
                     *       "sentence": "Revenue on Thursday 2026-11-19 was $0.00; there is no usual band, because fewer than 20 a day are usual.",
                     *       "method": "The band is the median of the same weekdays of the 12 weeks before (UTC days, production), and four times their spread on either side: the median absolute deviation, scaled to a standard deviation, and at least what chance alone does. It takes 8 of these days with data, and 20 purchases, customers or subscriptions on a usual one. A day is compared 6 hours after its end."
                     *     }
                     */
                    "application/json": components["schemas"]["UsualBand"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    compareChartData: {
        parameters: {
            query?: {
                asOf?: string;
                cohort?: "new_customers" | "initial_conversions" | "new_paying_customers";
                cohortMeasure?: "revenue" | "realized_ltv" | "realized_ltv_per_customer" | "retained_subscriptions";
                conversionTimeframe?: string;
                currency?: string;
                customerLifetime?: string;
                endDate?: string;
                environment?: "production" | "sandbox";
                filter?: string | string[];
                interval?: "day" | "week" | "month" | "quarter" | "year";
                measure?: string;
                nowAsOf?: string;
                nowReplay?: string;
                period?: string;
                previous?: string;
                productDuration?: string;
                replay?: string;
                resolution?: "day" | "week" | "month" | "quarter" | "year";
                revenueType?: "revenue" | "revenue_net_of_taxes" | "proceeds";
                segment?: "store" | "appId" | "productId" | "productDuration" | "offeringId" | "offerType" | "startReason" | "country" | "platform";
                segmentLimit?: number;
                startDate?: string;
                statusMeasure?: "actives" | "active_trials" | "mrr" | "arr";
                thenAsOf?: string;
                thenReplay?: string;
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Chart ID, see `GET …/metrics/charts`. */
                chartId: string;
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "chartComparison",
                     *       "id": "revenue",
                     *       "name": "Revenue",
                     *       "kind": "series",
                     *       "unit": "usd",
                     *       "interval": "month",
                     *       "startDate": "2026-09-01",
                     *       "endDate": "2026-11-20",
                     *       "lastComputedAt": "2026-11-20T10:00:14.000Z",
                     *       "currency": "USD",
                     *       "measures": [
                     *         {
                     *           "id": "revenue",
                     *           "name": "Revenue",
                     *           "unit": "usd"
                     *         },
                     *         {
                     *           "id": "new_revenue",
                     *           "name": "New revenue",
                     *           "unit": "usd"
                     *         },
                     *         {
                     *           "id": "renewal_revenue",
                     *           "name": "Renewal revenue",
                     *           "unit": "usd"
                     *         },
                     *         {
                     *           "id": "gross_revenue",
                     *           "name": "Gross revenue",
                     *           "unit": "usd"
                     *         },
                     *         {
                     *           "id": "refunds",
                     *           "name": "Refunds",
                     *           "unit": "usd"
                     *         },
                     *         {
                     *           "id": "tax",
                     *           "name": "Tax",
                     *           "unit": "usd"
                     *         },
                     *         {
                     *           "id": "commission",
                     *           "name": "Commission",
                     *           "unit": "usd"
                     *         },
                     *         {
                     *           "id": "proceeds",
                     *           "name": "Proceeds",
                     *           "unit": "usd"
                     *         },
                     *         {
                     *           "id": "transactions",
                     *           "name": "Transactions",
                     *           "unit": "count"
                     *         },
                     *         {
                     *           "id": "unconverted_transactions",
                     *           "name": "Unconverted transactions",
                     *           "unit": "count"
                     *         }
                     *       ],
                     *       "then": {
                     *         "asOf": "2026-11-04T00:00:00.000Z",
                     *         "startDate": "2026-09-01",
                     *         "endDate": "2026-11-20"
                     *       },
                     *       "now": {
                     *         "asOf": "2026-11-20T10:00:14.000Z",
                     *         "startDate": "2026-09-01",
                     *         "endDate": "2026-11-20"
                     *       },
                     *       "buckets": [
                     *         {
                     *           "start": "2026-09-01T00:00:00.000Z",
                     *           "end": "2026-10-01T00:00:00.000Z",
                     *           "incomplete": false,
                     *           "values": {
                     *             "revenue": {
                     *               "then": 29.97,
                     *               "now": 29.97,
                     *               "difference": 0
                     *             },
                     *             "new_revenue": {
                     *               "then": 29.97,
                     *               "now": 29.97,
                     *               "difference": 0
                     *             },
                     *             "renewal_revenue": {
                     *               "then": 0,
                     *               "now": 0,
                     *               "difference": 0
                     *             },
                     *             "gross_revenue": {
                     *               "then": 29.97,
                     *               "now": 29.97,
                     *               "difference": 0
                     *             },
                     *             "refunds": {
                     *               "then": 0,
                     *               "now": 0,
                     *               "difference": 0
                     *             },
                     *             "tax": {
                     *               "then": 0,
                     *               "now": 0,
                     *               "difference": 0
                     *             },
                     *             "commission": {
                     *               "then": 4.5,
                     *               "now": 4.5,
                     *               "difference": 0
                     *             },
                     *             "proceeds": {
                     *               "then": 25.47,
                     *               "now": 25.47,
                     *               "difference": 0
                     *             },
                     *             "transactions": {
                     *               "then": 3,
                     *               "now": 3,
                     *               "difference": 0
                     *             },
                     *             "unconverted_transactions": {
                     *               "then": 0,
                     *               "now": 0,
                     *               "difference": 0
                     *             }
                     *           }
                     *         },
                     *         {
                     *           "start": "2026-10-01T00:00:00.000Z",
                     *           "end": "2026-11-01T00:00:00.000Z",
                     *           "incomplete": false,
                     *           "values": {
                     *             "revenue": {
                     *               "then": 9.99,
                     *               "now": 9.99,
                     *               "difference": 0
                     *             },
                     *             "new_revenue": {
                     *               "then": 0,
                     *               "now": 0,
                     *               "difference": 0
                     *             },
                     *             "renewal_revenue": {
                     *               "then": 9.99,
                     *               "now": 9.99,
                     *               "difference": 0
                     *             },
                     *             "gross_revenue": {
                     *               "then": 9.99,
                     *               "now": 9.99,
                     *               "difference": 0
                     *             },
                     *             "refunds": {
                     *               "then": 0,
                     *               "now": 0,
                     *               "difference": 0
                     *             },
                     *             "tax": {
                     *               "then": 0,
                     *               "now": 0,
                     *               "difference": 0
                     *             },
                     *             "commission": {
                     *               "then": 1.5,
                     *               "now": 1.5,
                     *               "difference": 0
                     *             },
                     *             "proceeds": {
                     *               "then": 8.49,
                     *               "now": 8.49,
                     *               "difference": 0
                     *             },
                     *             "transactions": {
                     *               "then": 1,
                     *               "now": 1,
                     *               "difference": 0
                     *             },
                     *             "unconverted_transactions": {
                     *               "then": 0,
                     *               "now": 0,
                     *               "difference": 0
                     *             }
                     *           }
                     *         },
                     *         {
                     *           "start": "2026-11-01T00:00:00.000Z",
                     *           "end": "2026-11-21T00:00:00.000Z",
                     *           "clipped": true,
                     *           "incomplete": true,
                     *           "values": {
                     *             "revenue": {
                     *               "then": 9.99,
                     *               "now": 0,
                     *               "difference": -9.99,
                     *               "reasons": [
                     *                 {
                     *                   "kind": "TransactionRefunded",
                     *                   "amount": -9.99,
                     *                   "count": 1,
                     *                   "customers": [
                     *                     "cus_bvzz19hcfm4ezby7wkjkrpfqp2"
                     *                   ],
                     *                   "sentence": "A refund of 5 Nov 2026 11:58 UTC, received on 5 Nov 2026 12:00 UTC"
                     *                 }
                     *               ]
                     *             },
                     *             "new_revenue": {
                     *               "then": 0,
                     *               "now": -9.99,
                     *               "difference": -9.99,
                     *               "reasons": [
                     *                 {
                     *                   "kind": "TransactionRefunded",
                     *                   "amount": -9.99,
                     *                   "count": 1,
                     *                   "customers": [
                     *                     "cus_bvzz19hcfm4ezby7wkjkrpfqp2"
                     *                   ],
                     *                   "sentence": "A refund of 5 Nov 2026 11:58 UTC, received on 5 Nov 2026 12:00 UTC"
                     *                 }
                     *               ]
                     *             },
                     *             "renewal_revenue": {
                     *               "then": 9.99,
                     *               "now": 9.99,
                     *               "difference": 0
                     *             },
                     *             "gross_revenue": {
                     *               "then": 9.99,
                     *               "now": 9.99,
                     *               "difference": 0
                     *             },
                     *             "refunds": {
                     *               "then": 0,
                     *               "now": 9.99,
                     *               "difference": 9.99,
                     *               "reasons": [
                     *                 {
                     *                   "kind": "TransactionRefunded",
                     *                   "amount": 9.99,
                     *                   "count": 1,
                     *                   "customers": [
                     *                     "cus_bvzz19hcfm4ezby7wkjkrpfqp2"
                     *                   ],
                     *                   "sentence": "A refund of 5 Nov 2026 11:58 UTC, received on 5 Nov 2026 12:00 UTC"
                     *                 }
                     *               ]
                     *             },
                     *             "tax": {
                     *               "then": 0,
                     *               "now": 0,
                     *               "difference": 0
                     *             },
                     *             "commission": {
                     *               "then": 1.5,
                     *               "now": 0,
                     *               "difference": -1.5,
                     *               "reasons": [
                     *                 {
                     *                   "kind": "TransactionRefunded",
                     *                   "amount": -1.5,
                     *                   "count": 1,
                     *                   "customers": [
                     *                     "cus_bvzz19hcfm4ezby7wkjkrpfqp2"
                     *                   ],
                     *                   "sentence": "A refund of 5 Nov 2026 11:58 UTC, received on 5 Nov 2026 12:00 UTC"
                     *                 }
                     *               ]
                     *             },
                     *             "proceeds": {
                     *               "then": 8.49,
                     *               "now": 0,
                     *               "difference": -8.49,
                     *               "reasons": [
                     *                 {
                     *                   "kind": "TransactionRefunded",
                     *                   "amount": -8.49,
                     *                   "count": 1,
                     *                   "customers": [
                     *                     "cus_bvzz19hcfm4ezby7wkjkrpfqp2"
                     *                   ],
                     *                   "sentence": "A refund of 5 Nov 2026 11:58 UTC, received on 5 Nov 2026 12:00 UTC"
                     *                 }
                     *               ]
                     *             },
                     *             "transactions": {
                     *               "then": 1,
                     *               "now": 1,
                     *               "difference": 0
                     *             },
                     *             "unconverted_transactions": {
                     *               "then": 0,
                     *               "now": 0,
                     *               "difference": 0
                     *             }
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ChartComparison"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCustomersBehindReason: {
        parameters: {
            query?: {
                asOf?: string;
                bucket?: string;
                cohort?: "new_customers" | "initial_conversions" | "new_paying_customers";
                cohortMeasure?: "revenue" | "realized_ltv" | "realized_ltv_per_customer" | "retained_subscriptions";
                column?: number;
                conversionTimeframe?: string;
                currency?: string;
                customerLifetime?: string;
                endDate?: string;
                environment?: "production" | "sandbox";
                filter?: string | string[];
                interval?: "day" | "week" | "month" | "quarter" | "year";
                kind?: string;
                limit?: number;
                measure?: string;
                nowAsOf?: string;
                nowReplay?: string;
                period?: string;
                previous?: string;
                productDuration?: string;
                replay?: string;
                resolution?: "day" | "week" | "month" | "quarter" | "year";
                revenueType?: "revenue" | "revenue_net_of_taxes" | "proceeds";
                segment?: "store" | "appId" | "productId" | "productDuration" | "offeringId" | "offerType" | "startReason" | "country" | "platform";
                segmentLimit?: number;
                startDate?: string;
                startingAfter?: string;
                statusMeasure?: "actives" | "active_trials" | "mrr" | "arr";
                thenAsOf?: string;
                thenReplay?: string;
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Chart ID, see `GET …/metrics/charts`. */
                chartId: string;
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [
                     *         {
                     *           "object": "chartCustomer",
                     *           "customerId": "cus_bvzz19hcfm4ezby7wkjkrpfqp2",
                     *           "appUserId": "carol",
                     *           "value": -9.99,
                     *           "sentence": "A refund of 5 Nov 2026 11:58 UTC, received on 5 Nov 2026 12:00 UTC"
                     *         }
                     *       ],
                     *       "nextPage": null,
                     *       "url": "/v1/projects/proj_01m1e34thrvetvggrrhzg38y99/metrics/charts/revenue/compare/customers"
                     *     }
                     */
                    "application/json": {
                        items: {
                            appUserId: string | null;
                            customerId: string;
                            /** @constant */
                            object: "chartCustomer";
                            /** @description What changed the share of the customer, when it took effect, and when it was received. */
                            sentence: string;
                            value: number;
                        }[];
                        /** @description Path and query of the next page; null on the last one. */
                        nextPage: string | null;
                        /** @constant */
                        object: "list";
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCustomersBehindFigureOfChart: {
        parameters: {
            query?: {
                asOf?: string;
                bucket?: string;
                cohort?: "new_customers" | "initial_conversions" | "new_paying_customers";
                cohortMeasure?: "revenue" | "realized_ltv" | "realized_ltv_per_customer" | "retained_subscriptions";
                column?: number;
                conversionTimeframe?: string;
                currency?: string;
                customerLifetime?: string;
                endDate?: string;
                environment?: "production" | "sandbox";
                filter?: string | string[];
                interval?: "day" | "week" | "month" | "quarter" | "year";
                limit?: number;
                measure?: string;
                period?: string;
                previous?: string;
                productDuration?: string;
                replay?: string;
                resolution?: "day" | "week" | "month" | "quarter" | "year";
                revenueType?: "revenue" | "revenue_net_of_taxes" | "proceeds";
                segment?: "store" | "appId" | "productId" | "productDuration" | "offeringId" | "offerType" | "startReason" | "country" | "platform";
                segmentLimit?: number;
                startDate?: string;
                startingAfter?: string;
                statusMeasure?: "actives" | "active_trials" | "mrr" | "arr";
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Chart ID, see `GET …/metrics/charts`. */
                chartId: string;
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [
                     *         {
                     *           "object": "chartCustomer",
                     *           "customerId": "cus_bvzz19hcfm4ezby7wkjkrpfqp2",
                     *           "appUserId": "carol",
                     *           "value": -9.99
                     *         },
                     *         {
                     *           "object": "chartCustomer",
                     *           "customerId": "cus_txz8hs5cq162pz7g310v8j6dt8",
                     *           "appUserId": "alice",
                     *           "value": 9.99
                     *         }
                     *       ],
                     *       "nextPage": null,
                     *       "url": "/v1/projects/proj_01m1e34thrvetvggrrhzg38y99/metrics/charts/revenue/customers"
                     *     }
                     */
                    "application/json": {
                        items: {
                            appUserId: string | null;
                            customerId: string;
                            /** @constant */
                            object: "chartCustomer";
                            value: number;
                        }[];
                        /** @description Path and query of the next page; null on the last one. */
                        nextPage: string | null;
                        /** @constant */
                        object: "list";
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDefinitionOfChart: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Chart ID, see `GET …/metrics/charts`. */
                chartId: string;
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "chartDefinition",
                     *       "id": "mrr",
                     *       "name": "Monthly Recurring Revenue",
                     *       "description": "Monthly value of the active subscriptions at the end of each bucket.",
                     *       "formulas": [
                     *         {
                     *           "measure": "mrr",
                     *           "name": "MRR",
                     *           "text": "Sum of the monthly values of all subscriptions that are live at the end of the period."
                     *         }
                     *       ],
                     *       "edgeCases": [
                     *         {
                     *           "case": "trials",
                     *           "text": "A free trial is worth nothing. An introductory price counts as it is, for its own duration."
                     *         },
                     *         {
                     *           "case": "grace",
                     *           "text": "In a grace period the last price counts. In billing retry and while it is paused, a subscription is worth nothing."
                     *         },
                     *         {
                     *           "case": "annual",
                     *           "text": "The price of a period is divided by its months: a year by 12. A week is multiplied by 4."
                     *         },
                     *         {
                     *           "case": "taxes",
                     *           "text": "Included; `revenueType` deducts taxes (`revenue_net_of_taxes`), or taxes and commission (`proceeds`)."
                     *         },
                     *         {
                     *           "case": "refunds",
                     *           "text": "A refund that ends access removes the value on the day of the refund; any other has no effect."
                     *         },
                     *         {
                     *           "case": "currency",
                     *           "text": "Prices are converted at the rate of the day of the purchase. A price without a rate counts as 0."
                     *         }
                     *       ],
                     *       "example": {
                     *         "steps": [
                     *           "Ana pays $10 for a month on 5 Jan.",
                     *           "Ana pays $10 for a month on 5 Feb.",
                     *           "Ana pays $10 for a month on 5 Mar.",
                     *           "Bob pays $60 for a year on 2 Feb.",
                     *           "Cyd starts a free trial of a week on 10 Jan.",
                     *           "Cyd pays $10 for a month on 17 Jan.",
                     *           "Cyd turns off the renewal on 20 Jan.",
                     *           "Eve pays $8 for a month on 28 Jan.",
                     *           "Eve fails to pay on 28 Feb and has a grace period until 7 Mar, without a payment.",
                     *           "Gil pays an introductory price of $4 for a month on 1 Feb.",
                     *           "Gil pays $10 for a month on 1 Mar."
                     *         ],
                     *         "month": "2026-02-01",
                     *         "asOf": "2026-04-01",
                     *         "figures": [
                     *           {
                     *             "measure": "mrr",
                     *             "name": "MRR",
                     *             "unit": "usd",
                     *             "calculation": "10 + 60 / 12 + 8 + 4",
                     *             "value": 27
                     *           }
                     *         ],
                     *         "because": "Ana’s month, a twelfth of Bob’s year, Eve in her grace period, and Gil’s introductory price."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ChartDefinition"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listValuesOfSegment: {
        parameters: {
            query: {
                asOf?: string;
                cohort?: "new_customers" | "initial_conversions" | "new_paying_customers";
                cohortMeasure?: "revenue" | "realized_ltv" | "realized_ltv_per_customer" | "retained_subscriptions";
                conversionTimeframe?: string;
                currency?: string;
                customerLifetime?: string;
                endDate?: string;
                environment?: "production" | "sandbox";
                filter?: string | string[];
                interval?: "day" | "week" | "month" | "quarter" | "year";
                measure?: string;
                period?: string;
                previous?: string;
                productDuration?: string;
                replay?: string;
                resolution?: "day" | "week" | "month" | "quarter" | "year";
                revenueType?: "revenue" | "revenue_net_of_taxes" | "proceeds";
                segment: "store" | "appId" | "productId" | "productDuration" | "offeringId" | "offerType" | "startReason" | "country" | "platform";
                segmentLimit?: number;
                startDate?: string;
                statusMeasure?: "actives" | "active_trials" | "mrr" | "arr";
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Chart ID, see `GET …/metrics/charts`. */
                chartId: string;
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [
                     *         {
                     *           "object": "chartSegment",
                     *           "value": "prod_01m1e351cgj9qhvd2ykta871v4",
                     *           "name": "Pro, monthly (ios-store)",
                     *           "count": 2
                     *         },
                     *         {
                     *           "object": "chartSegment",
                     *           "value": "prod_01m1e353b01yg9sycnjked0ehf",
                     *           "name": "Pro, monthly (android-store)",
                     *           "count": 1
                     *         }
                     *       ],
                     *       "nextPage": null,
                     *       "url": "/v1/projects/proj_01m1e34thrvetvggrrhzg38y99/metrics/charts/revenue/segments"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["ChartSegment"][];
                        /** @description Path and query of the next page; null on the last one. */
                        nextPage: string | null;
                        /** @constant */
                        object: "list";
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    watchChartsDailyFigure: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Chart ID, see `GET …/metrics/charts`. */
                chartId: string;
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "isWatched": true
                 *     }
                 */
                "application/json": components["schemas"]["WatchChartsDailyFigureBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "usualBand",
                     *       "chartId": "revenue",
                     *       "measure": "revenue",
                     *       "unit": "usd",
                     *       "isWatched": true,
                     *       "day": "2026-11-19",
                     *       "value": 0,
                     *       "verdict": "too_small",
                     *       "band": null,
                     *       "earlier": [
                     *         {
                     *           "day": "2026-11-12",
                     *           "value": 0
                     *         },
                     *         {
                     *           "day": "2026-11-05",
                     *           "value": -9.99
                     *         },
                     *         {
                     *           "day": "2026-10-29",
                     *           "value": 0
                     *         },
                     *         {
                     *           "day": "2026-10-22",
                     *           "value": 0
                     *         },
                     *         {
                     *           "day": "2026-10-15",
                     *           "value": 0
                     *         },
                     *         {
                     *           "day": "2026-10-08",
                     *           "value": 0
                     *         },
                     *         {
                     *           "day": "2026-10-01",
                     *           "value": 0
                     *         },
                     *         {
                     *           "day": "2026-09-24",
                     *           "value": 0
                     *         },
                     *         {
                     *           "day": "2026-09-17",
                     *           "value": 0
                     *         },
                     *         {
                     *           "day": "2026-09-10",
                     *           "value": 9.99
                     *         },
                     *         {
                     *           "day": "2026-09-03",
                     *           "value": 0
                     *         }
                     *       ],
                     *       "sentence": "Revenue on Thursday 2026-11-19 was $0.00; there is no usual band, because fewer than 20 a day are usual.",
                     *       "method": "The band is the median of the same weekdays of the 12 weeks before (UTC days, production), and four times their spread on either side: the median absolute deviation, scaled to a standard deviation, and at least what chance alone does. It takes 8 of these days with data, and 20 purchases, customers or subscriptions on a usual one. A day is compared 6 hours after its end."
                     *     }
                     */
                    "application/json": components["schemas"]["UsualBand"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDashboardOverviewMetrics: {
        parameters: {
            query?: {
                asOf?: string;
                environment?: "production" | "sandbox";
                replay?: string;
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "overviewMetrics",
                     *       "metrics": [
                     *         {
                     *           "object": "overviewMetric",
                     *           "id": "active_trials",
                     *           "name": "Active trials",
                     *           "description": "Active trials at this moment",
                     *           "unit": "count",
                     *           "period": "P0D",
                     *           "value": 0,
                     *           "previousValue": 0,
                     *           "lastUpdatedAt": "2026-11-20T10:00:13.000Z"
                     *         },
                     *         {
                     *           "object": "overviewMetric",
                     *           "id": "active_subscriptions",
                     *           "name": "Active subscriptions",
                     *           "description": "Active subscriptions at this moment",
                     *           "unit": "count",
                     *           "period": "P0D",
                     *           "value": 2,
                     *           "previousValue": 2,
                     *           "lastUpdatedAt": "2026-11-20T10:00:13.000Z"
                     *         },
                     *         {
                     *           "object": "overviewMetric",
                     *           "id": "mrr",
                     *           "name": "Monthly recurring revenue",
                     *           "description": "Monthly recurring revenue at this moment",
                     *           "unit": "usd",
                     *           "period": "P0D",
                     *           "value": 19.98,
                     *           "previousValue": 19.98,
                     *           "lastUpdatedAt": "2026-11-20T10:00:13.000Z"
                     *         },
                     *         {
                     *           "object": "overviewMetric",
                     *           "id": "revenue",
                     *           "name": "Revenue",
                     *           "description": "Revenue of the last 28 days",
                     *           "unit": "usd",
                     *           "period": "P28D",
                     *           "value": 0,
                     *           "previousValue": 9.99,
                     *           "lastUpdatedAt": "2026-11-20T10:00:13.000Z"
                     *         },
                     *         {
                     *           "object": "overviewMetric",
                     *           "id": "new_customers",
                     *           "name": "New customers",
                     *           "description": "New customers of the last 28 days",
                     *           "unit": "count",
                     *           "period": "P28D",
                     *           "value": 0,
                     *           "previousValue": 0,
                     *           "lastUpdatedAt": "2026-11-20T10:00:13.000Z"
                     *         },
                     *         {
                     *           "object": "overviewMetric",
                     *           "id": "active_users",
                     *           "name": "Active customers",
                     *           "description": "Active customers of the last 28 days",
                     *           "unit": "count",
                     *           "period": "P28D",
                     *           "value": 0,
                     *           "previousValue": 0,
                     *           "lastUpdatedAt": "2026-11-20T10:00:13.000Z"
                     *         },
                     *         {
                     *           "object": "overviewMetric",
                     *           "id": "transactions",
                     *           "name": "Transactions",
                     *           "description": "Transactions of the last 28 days",
                     *           "unit": "count",
                     *           "period": "P28D",
                     *           "value": 1,
                     *           "previousValue": 1,
                     *           "lastUpdatedAt": "2026-11-20T10:00:13.000Z"
                     *         },
                     *         {
                     *           "object": "overviewMetric",
                     *           "id": "refunds",
                     *           "name": "Refunds",
                     *           "description": "Refunds of the last 28 days",
                     *           "unit": "usd",
                     *           "period": "P28D",
                     *           "value": 9.99,
                     *           "previousValue": 0,
                     *           "lastUpdatedAt": "2026-11-20T10:00:13.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Overview"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listReplays: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [
                     *         {
                     *           "object": "replay",
                     *           "name": "small-business",
                     *           "until": null,
                     *           "whatIf": {
                     *             "commission": 0.15
                     *           },
                     *           "state": "ready",
                     *           "progress": 1,
                     *           "madeAt": "2026-11-20T10:00:15.000Z"
                     *         }
                     *       ],
                     *       "nextPage": null,
                     *       "url": "/v1/projects/proj_01m1e34thrvetvggrrhzg38y99/metrics/replays"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Replay"][];
                        /** @description Path and query of the next page; null on the last one. */
                        nextPage: string | null;
                        /** @constant */
                        object: "list";
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createReplay: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "small-business",
                 *       "whatIf": {
                 *         "commission": 0.15
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateReplayBody"];
            };
        };
        responses: {
            /** @description Accepted for later processing; the response says what is missing. */
            202: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "replay",
                     *       "name": "small-business",
                     *       "until": null,
                     *       "whatIf": {
                     *         "commission": 0.15
                     *       },
                     *       "state": "ready",
                     *       "progress": 1,
                     *       "madeAt": "2026-11-20T10:00:15.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Replay"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteReplay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Name of the replay. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "replay",
                     *       "id": "small-business",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        deleted: true;
                        id: string;
                        /** @constant */
                        object: "replay";
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listStoreNotifications: {
        parameters: {
            query?: {
                appId?: string;
                limit?: number;
                since?: string;
                startingAfter?: string;
                state?: "handled" | "ignored" | "refused" | "parked" | "waiting";
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [
                     *         {
                     *           "object": "notification",
                     *           "id": "app_01m1e34vh0355004ctz5a08x5m_e7yk20vkd50k8a3bnpsnwvvskb",
                     *           "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *           "store": "ios-store",
                     *           "type": "CONSUMPTION_REQUEST",
                     *           "receivedAt": "2026-11-20T07:12:41.000Z",
                     *           "signedAt": "2026-11-20T07:12:40.000Z",
                     *           "outcome": "applied",
                     *           "reason": null,
                     *           "customerId": "cus_txz8hs5cq162pz7g310v8j6dt8",
                     *           "finishedAt": "2026-11-20T07:12:41.000Z",
                     *           "state": "handled"
                     *         },
                     *         {
                     *           "object": "notification",
                     *           "id": "app_01m1e34vh0355004ctz5a08x5m_qn1e1twxpdpqr25ywwgz56kw23",
                     *           "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *           "store": "ios-store",
                     *           "type": "REFUND",
                     *           "receivedAt": "2026-11-05T12:00:01.000Z",
                     *           "signedAt": "2026-11-05T12:00:00.000Z",
                     *           "outcome": "applied",
                     *           "reason": null,
                     *           "customerId": "cus_bvzz19hcfm4ezby7wkjkrpfqp2",
                     *           "finishedAt": "2026-11-05T12:00:01.000Z",
                     *           "state": "handled"
                     *         }
                     *       ],
                     *       "nextPage": "/v1/projects/proj_01m1e34thrvetvggrrhzg38y99/notifications?startingAfter=app_01m1e34vh0355004ctz5a08x5m_qn1e1twxpdpqr25ywwgz56kw23&limit=2",
                     *       "url": "/v1/projects/proj_01m1e34thrvetvggrrhzg38y99/notifications"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Notification"][];
                        /** @description Path and query of the next page; null on the last one. */
                        nextPage: string | null;
                        /** @constant */
                        object: "list";
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getStoreNotificationWithItsDecodedContentAndResult: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Notification id (`app_…_…`). */
                nid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "notification",
                     *       "id": "app_01m1e34vh0355004ctz5a08x5m_e7yk20vkd50k8a3bnpsnwvvskb",
                     *       "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *       "store": "ios-store",
                     *       "type": "CONSUMPTION_REQUEST",
                     *       "state": "handled",
                     *       "outcome": "applied",
                     *       "reason": null,
                     *       "customerId": "cus_txz8hs5cq162pz7g310v8j6dt8",
                     *       "receivedAt": "2026-11-20T07:12:41.000Z",
                     *       "signedAt": "2026-11-20T07:12:40.000Z",
                     *       "finishedAt": "2026-11-20T07:12:41.000Z",
                     *       "nextAttemptAt": null,
                     *       "waitsForCredentials": false,
                     *       "error": null,
                     *       "eventIds": [
                     *         "7b1630a3-05f0-5094-a4bf-17e4def2e40e"
                     *       ],
                     *       "events": [
                     *         {
                     *           "object": "timelineEntry",
                     *           "id": "7b1630a3-05f0-5094-a4bf-17e4def2e40e",
                     *           "at": "2026-11-20T07:12:40.000Z",
                     *           "recordedAt": "2026-11-20T07:12:41.000Z",
                     *           "type": "ConsumptionInformationRequested",
                     *           "summary": "The store requested consumption information for transaction 2000000123470001, due by 2026-11-20 19:12 UTC. No answer was sent.",
                     *           "actor": {
                     *             "kind": "store",
                     *             "id": "ios-store",
                     *             "name": null
                     *           },
                     *           "cause": {
                     *             "notification": {
                     *               "id": "c80ba24a-998c-5c12-a2da-9addbff8ca52",
                     *               "store": "ios-store",
                     *               "type": "CONSUMPTION_REQUEST",
                     *               "rawBody": "{\"signedPayload\":\"eyJhbGciOiJFUzI1NiIsIng1YyI6…\"}"
                     *             }
                     *           },
                     *           "deliveries": [],
                     *           "access": {
                     *             "before": {
                     *               "pro": "2026-12-02T08:15:00.000Z"
                     *             },
                     *             "after": {
                     *               "pro": "2026-12-02T08:15:00.000Z"
                     *             }
                     *           },
                     *           "superseded": false,
                     *           "data": {
                     *             "purchase": {
                     *               "transactionId": "2000000123470001",
                     *               "originalTransactionId": "2000000123456789",
                     *               "storeChainId": "2000000123456789",
                     *               "store": "ios-store",
                     *               "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *               "productId": "prod_01m1e351cgj9qhvd2ykta871v4",
                     *               "storeProductId": "com.example.stargazer.pro.month",
                     *               "environment": "production",
                     *               "ownership": "purchased",
                     *               "country": "DE",
                     *               "offeringId": null,
                     *               "placementId": null
                     *             },
                     *             "transactionId": "2000000123470001",
                     *             "reason": null,
                     *             "respondBy": "2026-11-20T19:12:40.000Z",
                     *             "pendingRefundToken": null
                     *           }
                     *         }
                     *       ],
                     *       "confirms": [],
                     *       "revocationChecked": false,
                     *       "words": {
                     *         "signedPayload": {
                     *           "notificationUUID": "c80ba24a-998c-5c12-a2da-9addbff8ca52",
                     *           "version": "2.0",
                     *           "signedDate": 1795158760000,
                     *           "data": {
                     *             "environment": "Production",
                     *             "bundleId": "com.example.stargazer",
                     *             "appAppleId": 1234567890,
                     *             "bundleVersion": "1",
                     *             "signedTransactionInfo": {
                     *               "webOrderLineItemId": "72000000123470001",
                     *               "subscriptionGroupIdentifier": "20000001",
                     *               "originalPurchaseDate": 1793607300000,
                     *               "type": "Auto-Renewable Subscription",
                     *               "quantity": 1,
                     *               "inAppOwnershipType": "PURCHASED",
                     *               "transactionReason": "RENEWAL",
                     *               "price": 9990,
                     *               "currency": "USD",
                     *               "storefront": "DEU",
                     *               "storefrontId": "143441",
                     *               "environment": "Production",
                     *               "signedDate": 1795158760000,
                     *               "bundleId": "com.example.stargazer",
                     *               "transactionId": "2000000123470001",
                     *               "originalTransactionId": "2000000123456789",
                     *               "productId": "com.example.stargazer.pro.month",
                     *               "purchaseDate": 1793607300000,
                     *               "expiresDate": 1796199300000
                     *             },
                     *             "signedRenewalInfo": {
                     *               "autoRenewProductId": "com.example.stargazer.pro.month",
                     *               "autoRenewStatus": 1,
                     *               "isInBillingRetryPeriod": false,
                     *               "environment": "Production",
                     *               "signedDate": 1795158760000,
                     *               "originalTransactionId": "2000000123456789",
                     *               "productId": "com.example.stargazer.pro.month"
                     *             },
                     *             "status": 1
                     *           },
                     *           "notificationType": "CONSUMPTION_REQUEST"
                     *         }
                     *       },
                     *       "rawBody": "{\"signedPayload\":\"eyJhbGciOiJFUzI1NiIsIng1YyI6…\"}",
                     *       "contentType": "application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["NotificationDetail"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retryStoreNotification: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Notification id (`app_…_…`). */
                nid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RetryStoreNotificationBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "notification",
                     *       "id": "app_01m1e34vh0355004ctz5a08x5m_e7yk20vkd50k8a3bnpsnwvvskb",
                     *       "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *       "store": "ios-store",
                     *       "type": "CONSUMPTION_REQUEST",
                     *       "state": "handled",
                     *       "outcome": "applied",
                     *       "reason": null,
                     *       "customerId": "cus_txz8hs5cq162pz7g310v8j6dt8",
                     *       "receivedAt": "2026-11-20T07:12:41.000Z",
                     *       "signedAt": "2026-11-20T07:12:40.000Z",
                     *       "finishedAt": "2026-11-20T07:12:41.000Z",
                     *       "nextAttemptAt": null,
                     *       "waitsForCredentials": false,
                     *       "error": null,
                     *       "eventIds": [
                     *         "7b1630a3-05f0-5094-a4bf-17e4def2e40e"
                     *       ],
                     *       "events": [
                     *         {
                     *           "object": "timelineEntry",
                     *           "id": "7b1630a3-05f0-5094-a4bf-17e4def2e40e",
                     *           "at": "2026-11-20T07:12:40.000Z",
                     *           "recordedAt": "2026-11-20T07:12:41.000Z",
                     *           "type": "ConsumptionInformationRequested",
                     *           "summary": "The store requested consumption information for transaction 2000000123470001, due by 2026-11-20 19:12 UTC. No answer was sent.",
                     *           "actor": {
                     *             "kind": "store",
                     *             "id": "ios-store",
                     *             "name": null
                     *           },
                     *           "cause": {
                     *             "notification": {
                     *               "id": "c80ba24a-998c-5c12-a2da-9addbff8ca52",
                     *               "store": "ios-store",
                     *               "type": "CONSUMPTION_REQUEST",
                     *               "rawBody": "{\"signedPayload\":\"eyJhbGciOiJFUzI1NiIsIng1YyI6…\"}"
                     *             }
                     *           },
                     *           "deliveries": [],
                     *           "access": {
                     *             "before": {
                     *               "pro": "2026-12-02T08:15:00.000Z"
                     *             },
                     *             "after": {
                     *               "pro": "2026-12-02T08:15:00.000Z"
                     *             }
                     *           },
                     *           "superseded": false,
                     *           "data": {
                     *             "purchase": {
                     *               "transactionId": "2000000123470001",
                     *               "originalTransactionId": "2000000123456789",
                     *               "storeChainId": "2000000123456789",
                     *               "store": "ios-store",
                     *               "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *               "productId": "prod_01m1e351cgj9qhvd2ykta871v4",
                     *               "storeProductId": "com.example.stargazer.pro.month",
                     *               "environment": "production",
                     *               "ownership": "purchased",
                     *               "country": "DE",
                     *               "offeringId": null,
                     *               "placementId": null
                     *             },
                     *             "transactionId": "2000000123470001",
                     *             "reason": null,
                     *             "respondBy": "2026-11-20T19:12:40.000Z",
                     *             "pendingRefundToken": null
                     *           }
                     *         }
                     *       ],
                     *       "confirms": [],
                     *       "revocationChecked": false,
                     *       "words": {
                     *         "signedPayload": {
                     *           "notificationUUID": "c80ba24a-998c-5c12-a2da-9addbff8ca52",
                     *           "version": "2.0",
                     *           "signedDate": 1795158760000,
                     *           "data": {
                     *             "environment": "Production",
                     *             "bundleId": "com.example.stargazer",
                     *             "appAppleId": 1234567890,
                     *             "bundleVersion": "1",
                     *             "signedTransactionInfo": {
                     *               "webOrderLineItemId": "72000000123470001",
                     *               "subscriptionGroupIdentifier": "20000001",
                     *               "originalPurchaseDate": 1793607300000,
                     *               "type": "Auto-Renewable Subscription",
                     *               "quantity": 1,
                     *               "inAppOwnershipType": "PURCHASED",
                     *               "transactionReason": "RENEWAL",
                     *               "price": 9990,
                     *               "currency": "USD",
                     *               "storefront": "DEU",
                     *               "storefrontId": "143441",
                     *               "environment": "Production",
                     *               "signedDate": 1795158760000,
                     *               "bundleId": "com.example.stargazer",
                     *               "transactionId": "2000000123470001",
                     *               "originalTransactionId": "2000000123456789",
                     *               "productId": "com.example.stargazer.pro.month",
                     *               "purchaseDate": 1793607300000,
                     *               "expiresDate": 1796199300000
                     *             },
                     *             "signedRenewalInfo": {
                     *               "autoRenewProductId": "com.example.stargazer.pro.month",
                     *               "autoRenewStatus": 1,
                     *               "isInBillingRetryPeriod": false,
                     *               "environment": "Production",
                     *               "signedDate": 1795158760000,
                     *               "originalTransactionId": "2000000123456789",
                     *               "productId": "com.example.stargazer.pro.month"
                     *             },
                     *             "status": 1
                     *           },
                     *           "notificationType": "CONSUMPTION_REQUEST"
                     *         }
                     *       },
                     *       "rawBody": "{\"signedPayload\":\"eyJhbGciOiJFUzI1NiIsIng1YyI6…\"}",
                     *       "contentType": "application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["NotificationDetail"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listOfferings: {
        parameters: {
            query?: {
                expand?: "packages";
                limit?: number;
                startingAfter?: string;
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [
                     *         {
                     *           "object": "offering",
                     *           "id": "ofr_01m1e35c48hxtwbhadkqnx9sfg",
                     *           "lookupKey": "yearly-first",
                     *           "displayName": "Yearly first",
                     *           "metadata": {},
                     *           "isCurrent": false,
                     *           "archived": false,
                     *           "createdAt": "2026-09-01T09:00:21.000Z",
                     *           "updatedAt": "2026-09-01T09:00:23.000Z"
                     *         },
                     *         {
                     *           "object": "offering",
                     *           "id": "ofr_01m1e357804fbkv0zrhh7az7td",
                     *           "lookupKey": "default",
                     *           "displayName": "Standard",
                     *           "metadata": {
                     *             "accent": "gold"
                     *           },
                     *           "isCurrent": true,
                     *           "archived": false,
                     *           "createdAt": "2026-09-01T09:00:16.000Z",
                     *           "updatedAt": "2026-11-20T10:00:03.000Z"
                     *         }
                     *       ],
                     *       "nextPage": null,
                     *       "url": "/v1/projects/proj_01m1e34thrvetvggrrhzg38y99/offerings"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Offering"][];
                        /** @description Path and query of the next page; null on the last one. */
                        nextPage: string | null;
                        /** @constant */
                        object: "list";
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createOffering: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "lookupKey": "default",
                 *       "displayName": "Default",
                 *       "metadata": {
                 *         "accent": "gold"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateOfferingBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "offering",
                     *       "id": "ofr_01m1e35c48hxtwbhadkqnx9sfg",
                     *       "lookupKey": "yearly-first",
                     *       "displayName": "Yearly first",
                     *       "metadata": {},
                     *       "isCurrent": false,
                     *       "archived": false,
                     *       "createdAt": "2026-09-01T09:00:21.000Z",
                     *       "updatedAt": "2026-09-01T09:00:21.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Offering"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateOffering: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Offering, by id (`ofr_…`) or `lookupKey`. */
                oid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "isCurrent": true
                 *     }
                 */
                "application/json": components["schemas"]["UpdateOfferingBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "offering",
                     *       "id": "ofr_01m1e357804fbkv0zrhh7az7td",
                     *       "lookupKey": "default",
                     *       "displayName": "Standard",
                     *       "metadata": {
                     *         "accent": "gold"
                     *       },
                     *       "isCurrent": true,
                     *       "archived": false,
                     *       "createdAt": "2026-09-01T09:00:16.000Z",
                     *       "updatedAt": "2026-11-20T10:00:03.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Offering"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPackages: {
        parameters: {
            query?: {
                afterPosition?: number;
                limit?: number;
                startingAfter?: string;
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Offering, by id (`ofr_…`) or `lookupKey`. */
                oid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [
                     *         {
                     *           "object": "package",
                     *           "id": "pkg_01m1e35d3g2ytq8j9gdht8mggt",
                     *           "offeringId": "ofr_01m1e35c48hxtwbhadkqnx9sfg",
                     *           "lookupKey": "$annual",
                     *           "packageType": "annual",
                     *           "displayName": "Yearly",
                     *           "position": 1,
                     *           "products": [
                     *             {
                     *               "id": "prod_01m1e350d8mgtbsaqea3k7vwrg",
                     *               "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *               "storeProductId": "com.example.stargazer.pro.year"
                     *             },
                     *             {
                     *               "id": "prod_01m1e352brtw6knw1szf94t5fn",
                     *               "appId": "app_01m1e34wg8c5k5kgvhzdd4th4m",
                     *               "storeProductId": "com.example.stargazer.pro.year"
                     *             }
                     *           ],
                     *           "createdAt": "2026-09-01T09:00:22.000Z",
                     *           "updatedAt": "2026-09-01T09:00:23.000Z"
                     *         }
                     *       ],
                     *       "nextPage": null,
                     *       "url": "/v1/projects/proj_01m1e34thrvetvggrrhzg38y99/offerings/yearly-first/packages"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Package"][];
                        /** @description Path and query of the next page; null on the last one. */
                        nextPage: string | null;
                        /** @constant */
                        object: "list";
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createPackage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Offering, by id (`ofr_…`) or `lookupKey`. */
                oid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "lookupKey": "$monthly",
                 *       "displayName": "Monthly"
                 *     }
                 */
                "application/json": components["schemas"]["CreatePackageBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "package",
                     *       "id": "pkg_01m1e35d3g2ytq8j9gdht8mggt",
                     *       "offeringId": "ofr_01m1e35c48hxtwbhadkqnx9sfg",
                     *       "lookupKey": "$annual",
                     *       "packageType": "annual",
                     *       "displayName": "Yearly",
                     *       "position": 1,
                     *       "products": [],
                     *       "createdAt": "2026-09-01T09:00:22.000Z",
                     *       "updatedAt": "2026-09-01T09:00:22.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Package"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deletePackage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Offering, by id (`ofr_…`) or `lookupKey`. */
                oid: string;
                /** @description Package, by id (`pkg_…`) or `lookupKey`. */
                pid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "package",
                     *       "id": "pkg_01m1e35d3g2ytq8j9gdht8mggt",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        deleted: true;
                        id: string;
                        /** @constant */
                        object: "package";
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    attachProductToPackage: {
        parameters: {
            query?: {
                productIds?: string;
            };
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Offering, by id (`ofr_…`) or `lookupKey`. */
                oid: string;
                /** @description Package, by id (`pkg_…`) or `lookupKey`. */
                pid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "productIds": [
                 *         "prod_01k9zq3v8n4t5w6x7y8z9a0b1c"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["AttachProductToPackageBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "package",
                     *       "id": "pkg_01m1e35d3g2ytq8j9gdht8mggt",
                     *       "offeringId": "ofr_01m1e35c48hxtwbhadkqnx9sfg",
                     *       "lookupKey": "$annual",
                     *       "packageType": "annual",
                     *       "displayName": "Yearly",
                     *       "position": 1,
                     *       "products": [
                     *         {
                     *           "id": "prod_01m1e350d8mgtbsaqea3k7vwrg",
                     *           "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *           "storeProductId": "com.example.stargazer.pro.year"
                     *         },
                     *         {
                     *           "id": "prod_01m1e352brtw6knw1szf94t5fn",
                     *           "appId": "app_01m1e34wg8c5k5kgvhzdd4th4m",
                     *           "storeProductId": "com.example.stargazer.pro.year"
                     *         }
                     *       ],
                     *       "createdAt": "2026-09-01T09:00:22.000Z",
                     *       "updatedAt": "2026-09-01T09:00:23.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Package"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    detachProductFromPackage: {
        parameters: {
            query?: {
                productIds?: string;
            };
            header?: never;
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Offering, by id (`ofr_…`) or `lookupKey`. */
                oid: string;
                /** @description Package, by id (`pkg_…`) or `lookupKey`. */
                pid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "productIds": [
                 *         "prod_01k9zq3v8n4t5w6x7y8z9a0b1c"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["DetachProductFromPackageBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "package",
                     *       "id": "pkg_01m1e35d3g2ytq8j9gdht8mggt",
                     *       "offeringId": "ofr_01m1e35c48hxtwbhadkqnx9sfg",
                     *       "lookupKey": "$annual",
                     *       "packageType": "annual",
                     *       "displayName": "Yearly",
                     *       "position": 1,
                     *       "products": [
                     *         {
                     *           "id": "prod_01m1e352brtw6knw1szf94t5fn",
                     *           "appId": "app_01m1e34wg8c5k5kgvhzdd4th4m",
                     *           "storeProductId": "com.example.stargazer.pro.year"
                     *         }
                     *       ],
                     *       "createdAt": "2026-09-01T09:00:22.000Z",
                     *       "updatedAt": "2026-11-20T10:01:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Package"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPaywalls: {
        parameters: {
            query?: {
                limit?: number;
                startingAfter?: string;
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [
                     *         {
                     *           "object": "paywall",
                     *           "id": "pw_01m1e35f2038takhqcrz90191g",
                     *           "offeringId": "ofr_01m1e357804fbkv0zrhh7az7td",
                     *           "name": "Winter",
                     *           "status": "published",
                     *           "config": {
                     *             "layout": "list"
                     *           },
                     *           "defaultLocale": "en",
                     *           "localizations": {
                     *             "de": {
                     *               "title": "Mehr sehen"
                     *             }
                     *           },
                     *           "revision": 2,
                     *           "publishedAt": "2026-09-01T09:00:24.000Z",
                     *           "createdAt": "2026-09-01T09:00:24.000Z",
                     *           "updatedAt": "2026-11-20T10:00:04.000Z"
                     *         }
                     *       ],
                     *       "nextPage": null,
                     *       "url": "/v1/projects/proj_01m1e34thrvetvggrrhzg38y99/paywalls"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Paywall"][];
                        /** @description Path and query of the next page; null on the last one. */
                        nextPage: string | null;
                        /** @constant */
                        object: "list";
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createPaywall: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Winter",
                 *       "offeringId": "ofr_01k9zq3v8n4t5w6x7y8z9a0b1c",
                 *       "config": {
                 *         "layout": "cards"
                 *       },
                 *       "status": "published"
                 *     }
                 */
                "application/json": components["schemas"]["CreatePaywallBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "paywall",
                     *       "id": "pw_01m1e35f2038takhqcrz90191g",
                     *       "offeringId": "ofr_01m1e357804fbkv0zrhh7az7td",
                     *       "name": "Winter",
                     *       "status": "published",
                     *       "config": {
                     *         "layout": "cards"
                     *       },
                     *       "defaultLocale": "en",
                     *       "localizations": {
                     *         "de": {
                     *           "title": "Mehr sehen"
                     *         }
                     *       },
                     *       "revision": 1,
                     *       "publishedAt": "2026-09-01T09:00:24.000Z",
                     *       "createdAt": "2026-09-01T09:00:24.000Z",
                     *       "updatedAt": "2026-09-01T09:00:24.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Paywall"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPaywallDetails: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Paywall id (`pw_…`). */
                pwid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "paywall",
                     *       "id": "pw_01m1e35f2038takhqcrz90191g",
                     *       "offeringId": "ofr_01m1e357804fbkv0zrhh7az7td",
                     *       "name": "Winter",
                     *       "status": "published",
                     *       "config": {
                     *         "layout": "list"
                     *       },
                     *       "defaultLocale": "en",
                     *       "localizations": {
                     *         "de": {
                     *           "title": "Mehr sehen"
                     *         }
                     *       },
                     *       "revision": 2,
                     *       "publishedAt": "2026-09-01T09:00:24.000Z",
                     *       "createdAt": "2026-09-01T09:00:24.000Z",
                     *       "updatedAt": "2026-11-20T10:00:04.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Paywall"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deletePaywall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Paywall id (`pw_…`). */
                pwid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "paywall",
                     *       "id": "pw_01m1e35f2038takhqcrz90191g",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        deleted: true;
                        id: string;
                        /** @constant */
                        object: "paywall";
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updatePaywall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Paywall id (`pw_…`). */
                pwid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "config": {
                 *         "layout": "list"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UpdatePaywallBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "paywall",
                     *       "id": "pw_01m1e35f2038takhqcrz90191g",
                     *       "offeringId": "ofr_01m1e357804fbkv0zrhh7az7td",
                     *       "name": "Winter",
                     *       "status": "published",
                     *       "config": {
                     *         "layout": "list"
                     *       },
                     *       "defaultLocale": "en",
                     *       "localizations": {
                     *         "de": {
                     *           "title": "Mehr sehen"
                     *         }
                     *       },
                     *       "revision": 2,
                     *       "publishedAt": "2026-09-01T09:00:24.000Z",
                     *       "createdAt": "2026-09-01T09:00:24.000Z",
                     *       "updatedAt": "2026-11-20T10:00:04.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Paywall"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPlacements: {
        parameters: {
            query?: {
                asOf?: string;
                limit?: number;
                startingAfter?: string;
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [
                     *         {
                     *           "object": "placement",
                     *           "id": "plc_01m7w6c8488h3nd85w6hp3fe9r",
                     *           "lookupKey": "onboarding_end",
                     *           "displayName": "After the onboarding",
                     *           "createdAt": "2026-11-20T10:00:05.000Z",
                     *           "updatedAt": "2026-11-20T10:00:06.000Z"
                     *         }
                     *       ],
                     *       "nextPage": null,
                     *       "url": "/v1/projects/proj_01m1e34thrvetvggrrhzg38y99/placements"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Placement"][];
                        /** @description Path and query of the next page; null on the last one. */
                        nextPage: string | null;
                        /** @constant */
                        object: "list";
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createPlacement: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "lookupKey": "onboarding_end",
                 *       "displayName": "End of the onboarding"
                 *     }
                 */
                "application/json": components["schemas"]["CreatePlacementBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "placement",
                     *       "id": "plc_01m7w6c8488h3nd85w6hp3fe9r",
                     *       "lookupKey": "onboarding_end",
                     *       "displayName": "End of the onboarding",
                     *       "createdAt": "2026-11-20T10:00:05.000Z",
                     *       "updatedAt": "2026-11-20T10:00:05.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Placement"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deletePlacement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Placement, by id (`plc_…`) or `lookupKey`. */
                plid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "placement",
                     *       "id": "plc_01m7w6c8488h3nd85w6hp3fe9r",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        deleted: true;
                        id: string;
                        /** @constant */
                        object: "placement";
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updatePlacement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Placement, by id (`plc_…`) or `lookupKey`. */
                plid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "displayName": "After the onboarding"
                 *     }
                 */
                "application/json": components["schemas"]["UpdatePlacementBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "placement",
                     *       "id": "plc_01m7w6c8488h3nd85w6hp3fe9r",
                     *       "lookupKey": "onboarding_end",
                     *       "displayName": "After the onboarding",
                     *       "createdAt": "2026-11-20T10:00:05.000Z",
                     *       "updatedAt": "2026-11-20T10:00:06.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Placement"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listProducts: {
        parameters: {
            query?: {
                appId?: string;
                limit?: number;
                startingAfter?: string;
                type?: "subscription" | "consumable" | "non_consumable" | "non_renewing_subscription";
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [
                     *         {
                     *           "object": "product",
                     *           "id": "prod_01m1e353b01yg9sycnjked0ehf",
                     *           "appId": "app_01m1e34wg8c5k5kgvhzdd4th4m",
                     *           "store": "android-store",
                     *           "storeProductId": "com.example.stargazer.pro.month",
                     *           "displayName": "Pro, monthly",
                     *           "type": "subscription",
                     *           "duration": "P1M",
                     *           "trialDuration": "P1W",
                     *           "gracePeriodDuration": "P16D",
                     *           "prices": [],
                     *           "entitlementIds": [
                     *             "ent_01m1e3559gt24pw1mgrr7eq4ch"
                     *           ],
                     *           "createdAt": "2026-09-01T09:00:12.000Z",
                     *           "updatedAt": "2026-09-01T09:00:15.000Z"
                     *         },
                     *         {
                     *           "object": "product",
                     *           "id": "prod_01m1e352brtw6knw1szf94t5fn",
                     *           "appId": "app_01m1e34wg8c5k5kgvhzdd4th4m",
                     *           "store": "android-store",
                     *           "storeProductId": "com.example.stargazer.pro.year",
                     *           "displayName": "Pro, yearly",
                     *           "type": "subscription",
                     *           "duration": "P1Y",
                     *           "trialDuration": null,
                     *           "gracePeriodDuration": "P16D",
                     *           "prices": [],
                     *           "entitlementIds": [
                     *             "ent_01m1e3559gt24pw1mgrr7eq4ch"
                     *           ],
                     *           "createdAt": "2026-09-01T09:00:11.000Z",
                     *           "updatedAt": "2026-09-01T09:00:15.000Z"
                     *         },
                     *         {
                     *           "object": "product",
                     *           "id": "prod_01m1e351cgj9qhvd2ykta871v4",
                     *           "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *           "store": "ios-store",
                     *           "storeProductId": "com.example.stargazer.pro.month",
                     *           "displayName": "Pro, monthly",
                     *           "type": "subscription",
                     *           "duration": "P1M",
                     *           "trialDuration": "P1W",
                     *           "gracePeriodDuration": "P16D",
                     *           "prices": [
                     *             {
                     *               "object": "price",
                     *               "id": "price_01m1e354a87egybrttm9s6bcka",
                     *               "productId": "prod_01m1e351cgj9qhvd2ykta871v4",
                     *               "amount": 9.99,
                     *               "amountMicros": 9990000,
                     *               "currency": "USD",
                     *               "country": "US",
                     *               "startsAt": null
                     *             }
                     *           ],
                     *           "entitlementIds": [
                     *             "ent_01m1e3559gt24pw1mgrr7eq4ch"
                     *           ],
                     *           "createdAt": "2026-09-01T09:00:10.000Z",
                     *           "updatedAt": "2026-09-01T09:00:15.000Z"
                     *         },
                     *         {
                     *           "object": "product",
                     *           "id": "prod_01m1e350d8mgtbsaqea3k7vwrg",
                     *           "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *           "store": "ios-store",
                     *           "storeProductId": "com.example.stargazer.pro.year",
                     *           "displayName": "Pro, yearly",
                     *           "type": "subscription",
                     *           "duration": "P1Y",
                     *           "trialDuration": null,
                     *           "gracePeriodDuration": "P16D",
                     *           "prices": [],
                     *           "entitlementIds": [
                     *             "ent_01m1e3559gt24pw1mgrr7eq4ch"
                     *           ],
                     *           "createdAt": "2026-09-01T09:00:09.000Z",
                     *           "updatedAt": "2026-09-01T09:00:15.000Z"
                     *         }
                     *       ],
                     *       "nextPage": null,
                     *       "url": "/v1/projects/proj_01m1e34thrvetvggrrhzg38y99/products"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Product"][];
                        /** @description Path and query of the next page; null on the last one. */
                        nextPage: string | null;
                        /** @constant */
                        object: "list";
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createProduct: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "appId": "app_01k9zq3v8n4t5w6x7y8z9a0b1c",
                 *       "storeProductId": "com.example.stargazer.pro.month",
                 *       "displayName": "Pro, monthly",
                 *       "type": "subscription",
                 *       "duration": "P1M"
                 *     }
                 */
                "application/json": components["schemas"]["CreateProductBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "product",
                     *       "id": "prod_01m7w6d2g0jsr6yghpybnwd8jh",
                     *       "appId": "app_01m7w6d0hg6b7e3ra2f22qvhdw",
                     *       "store": "test-store",
                     *       "storeProductId": "pro_monthly",
                     *       "displayName": "Pro monthly",
                     *       "type": "subscription",
                     *       "duration": "P1M",
                     *       "trialDuration": null,
                     *       "gracePeriodDuration": null,
                     *       "prices": [],
                     *       "entitlementIds": [],
                     *       "createdAt": "2026-11-20T10:00:32.000Z",
                     *       "updatedAt": "2026-11-20T10:00:32.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Product"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getProductDetails: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Product id (`prod_…`). */
                pid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "product",
                     *       "id": "prod_01m1e351cgj9qhvd2ykta871v4",
                     *       "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *       "store": "ios-store",
                     *       "storeProductId": "com.example.stargazer.pro.month",
                     *       "displayName": "Pro, monthly",
                     *       "type": "subscription",
                     *       "duration": "P1M",
                     *       "trialDuration": "P1W",
                     *       "gracePeriodDuration": "P16D",
                     *       "prices": [
                     *         {
                     *           "object": "price",
                     *           "id": "price_01m1e354a87egybrttm9s6bcka",
                     *           "productId": "prod_01m1e351cgj9qhvd2ykta871v4",
                     *           "amount": 9.99,
                     *           "amountMicros": 9990000,
                     *           "currency": "USD",
                     *           "country": "US",
                     *           "startsAt": null
                     *         }
                     *       ],
                     *       "entitlementIds": [
                     *         "ent_01m1e3559gt24pw1mgrr7eq4ch"
                     *       ],
                     *       "createdAt": "2026-09-01T09:00:10.000Z",
                     *       "updatedAt": "2026-09-01T09:00:15.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Product"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteProduct: {
        parameters: {
            query?: {
                force?: "true" | "false";
            };
            header?: never;
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Product id (`prod_…`). */
                pid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "product",
                     *       "id": "prod_01m1e351cgj9qhvd2ykta871v4",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        deleted: true;
                        id: string;
                        /** @constant */
                        object: "product";
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    addPrice: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Product id (`prod_…`). */
                pid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount": 9.99,
                 *       "currency": "USD",
                 *       "country": "US"
                 *     }
                 */
                "application/json": components["schemas"]["AddPriceBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "price",
                     *       "id": "price_01m7w6d3f8k6whgd9nft4v9hhh",
                     *       "productId": "prod_01m7w6d2g0jsr6yghpybnwd8jh",
                     *       "amount": 9.99,
                     *       "amountMicros": 9990000,
                     *       "currency": "USD",
                     *       "country": null,
                     *       "startsAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Price"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deletePrice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Product id (`prod_…`). */
                pid: string;
                /** @description Price id (`price_…`). */
                priceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "price",
                     *       "id": "price_01m1e354a87egybrttm9s6bcka",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        deleted: true;
                        id: string;
                        /** @constant */
                        object: "price";
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listRefundRequests: {
        parameters: {
            query?: {
                limit?: number;
                /** @description Only requests that were to be answered at this time or later. */
                since?: string;
                startingAfter?: string;
                state?: "open" | "lapsed" | "answered" | "refunded" | "declined";
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [
                     *         {
                     *           "object": "refundRequest",
                     *           "id": "cus_txz8hs5cq162pz7g310v8j6dt8|2000000123470001",
                     *           "customerId": "cus_txz8hs5cq162pz7g310v8j6dt8",
                     *           "transactionId": "2000000123470001",
                     *           "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *           "store": "ios-store",
                     *           "storeProductId": "com.example.stargazer.pro.month",
                     *           "environment": "production",
                     *           "reason": null,
                     *           "requestedAt": "2026-11-20T07:12:41.000Z",
                     *           "respondBy": "2026-11-20T19:12:40.000Z",
                     *           "state": "open",
                     *           "answer": null,
                     *           "refusal": null,
                     *           "refundAnswer": "none",
                     *           "needsConsent": true,
                     *           "preferences": [
                     *             "decline",
                     *             "grant_full",
                     *             "grant_prorated"
                     *           ],
                     *           "appUserId": "alice"
                     *         }
                     *       ],
                     *       "nextPage": null,
                     *       "url": "/v1/projects/proj_01m1e34thrvetvggrrhzg38y99/refund-requests"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["RefundRequest"][];
                        /** @description Path and query of the next page; null on the last one. */
                        nextPage: string | null;
                        /** @constant */
                        object: "list";
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    answerQuestionOfStoreAboutRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Refund request ID, as in the list of refund requests. */
                requestId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "preference": "decline"
                 *     }
                 */
                "application/json": components["schemas"]["AnswerQuestionOfStoreAboutRefundBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "refundRequest",
                     *       "id": "cus_txz8hs5cq162pz7g310v8j6dt8|2000000123470001",
                     *       "customerId": "cus_txz8hs5cq162pz7g310v8j6dt8",
                     *       "transactionId": "2000000123470001",
                     *       "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *       "store": "ios-store",
                     *       "storeProductId": "com.example.stargazer.pro.month",
                     *       "environment": "production",
                     *       "reason": null,
                     *       "requestedAt": "2026-11-20T07:12:41.000Z",
                     *       "respondBy": "2026-11-20T19:12:40.000Z",
                     *       "state": "answered",
                     *       "answer": {
                     *         "preference": "decline",
                     *         "decidedBy": "person",
                     *         "at": "2026-11-20T10:00:25.000Z"
                     *       },
                     *       "refusal": null,
                     *       "refundAnswer": "none",
                     *       "needsConsent": true,
                     *       "preferences": [
                     *         "decline",
                     *         "grant_full",
                     *         "grant_prorated"
                     *       ],
                     *       "appUserId": "alice"
                     *     }
                     */
                    "application/json": components["schemas"]["RefundRequest"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSetupProgressStatus: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "setupStatus",
                     *       "complete": true,
                     *       "completedSteps": 10,
                     *       "totalSteps": 10,
                     *       "steps": [
                     *         {
                     *           "id": "create_app",
                     *           "title": "Register an app",
                     *           "done": true,
                     *           "doneAt": "2026-09-01T09:00:04.000Z",
                     *           "required": true
                     *         },
                     *         {
                     *           "id": "add_credentials",
                     *           "title": "Add store credentials",
                     *           "done": true,
                     *           "doneAt": "2026-09-01T09:00:06.000Z",
                     *           "required": true
                     *         },
                     *         {
                     *           "id": "receive_store_notification",
                     *           "title": "Receive a store notification",
                     *           "done": true,
                     *           "doneAt": "2026-09-02T08:15:04.000Z",
                     *           "required": true
                     *         },
                     *         {
                     *           "id": "create_product",
                     *           "title": "Create a product",
                     *           "done": true,
                     *           "doneAt": "2026-09-01T09:00:09.000Z",
                     *           "required": true
                     *         },
                     *         {
                     *           "id": "create_entitlement",
                     *           "title": "Create an entitlement",
                     *           "done": true,
                     *           "doneAt": "2026-09-01T09:00:14.000Z",
                     *           "required": true
                     *         },
                     *         {
                     *           "id": "attach_product_to_entitlement",
                     *           "title": "Attach a product to an entitlement",
                     *           "done": true,
                     *           "doneAt": "2026-09-01T09:00:15.000Z",
                     *           "required": true
                     *         },
                     *         {
                     *           "id": "create_offering_with_package",
                     *           "title": "Create an offering with a package",
                     *           "done": true,
                     *           "doneAt": "2026-09-01T09:00:17.000Z",
                     *           "required": true
                     *         },
                     *         {
                     *           "id": "create_public_api_key",
                     *           "title": "Create a public API key",
                     *           "done": true,
                     *           "doneAt": "2026-09-01T09:00:26.000Z",
                     *           "required": true
                     *         },
                     *         {
                     *           "id": "first_customer",
                     *           "title": "See the first customer",
                     *           "done": true,
                     *           "doneAt": "2026-09-02T08:14:31.000Z",
                     *           "required": true
                     *         },
                     *         {
                     *           "id": "first_purchase",
                     *           "title": "See the first purchase",
                     *           "done": true,
                     *           "doneAt": "2026-09-02T08:15:01.000Z",
                     *           "required": true
                     *         },
                     *         {
                     *           "id": "create_webhook",
                     *           "title": "Create a webhook",
                     *           "done": true,
                     *           "doneAt": "2026-09-01T09:00:28.000Z",
                     *           "required": false
                     *         },
                     *         {
                     *           "id": "create_paywall",
                     *           "title": "Create a paywall",
                     *           "done": true,
                     *           "doneAt": "2026-09-01T09:00:24.000Z",
                     *           "required": false
                     *         }
                     *       ],
                     *       "evidence": {
                     *         "apps": [
                     *           {
                     *             "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *             "name": "Stargazer for iOS",
                     *             "store": "ios-store",
                     *             "lastNotification": {
                     *               "id": "app_01m1e34vh0355004ctz5a08x5m_e7yk20vkd50k8a3bnpsnwvvskb",
                     *               "at": "2026-11-20T07:12:41.000Z",
                     *               "type": "CONSUMPTION_REQUEST",
                     *               "state": "handled",
                     *               "outcome": "applied",
                     *               "reason": null
                     *             },
                     *             "refusedNotifications": {
                     *               "count": 0,
                     *               "last": null
                     *             },
                     *             "credentials": {
                     *               "configured": true,
                     *               "proven": true,
                     *               "provenAt": "2026-11-20T07:12:40.000Z",
                     *               "storeError": null
                     *             }
                     *           },
                     *           {
                     *             "appId": "app_01m1e34wg8c5k5kgvhzdd4th4m",
                     *             "name": "Stargazer",
                     *             "store": "android-store",
                     *             "lastNotification": {
                     *               "id": "app_01m1e34wg8c5k5kgvhzdd4th4m_3c1wvfbpss3b08qfb1rhws53vb",
                     *               "at": "2026-09-18T06:30:08.000Z",
                     *               "type": "SUBSCRIPTION_PURCHASED",
                     *               "state": "handled",
                     *               "outcome": "no_change",
                     *               "reason": null
                     *             },
                     *             "refusedNotifications": {
                     *               "count": 0,
                     *               "last": null
                     *             },
                     *             "credentials": {
                     *               "configured": true,
                     *               "proven": true,
                     *               "provenAt": "2026-11-20T07:12:40.000Z",
                     *               "storeError": null
                     *             }
                     *           }
                     *         ],
                     *         "addresses": {
                     *           "api": "https://subledger.example.com",
                     *           "sdk": "https://sdk.example.com"
                     *         },
                     *         "productsWithoutEntitlement": [],
                     *         "productsWithoutPrice": [],
                     *         "offeringsWithoutProduct": [],
                     *         "failingWebhooks": [],
                     *         "sdkCalls": {
                     *           "versions": [],
                     *           "firstReceiptAt": null,
                     *           "lastRefusedReceipt": null
                     *         },
                     *         "chartsInPreparation": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SetupStatus"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    simulateCustomersLife: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "product": "com.example.stargazer.pro.month",
                 *       "steps": [
                 *         {
                 *           "at": "2026-09-01T10:00:00Z",
                 *           "what": "buy"
                 *         },
                 *         {
                 *           "at": "2026-10-01T10:00:00Z",
                 *           "what": "billing_fail"
                 *         },
                 *         {
                 *           "at": "2026-10-05T10:00:00Z",
                 *           "what": "recover"
                 *         },
                 *         {
                 *           "at": "2026-10-20T10:00:00Z",
                 *           "what": "refund"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SimulateCustomersLifeBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "simulation",
                     *       "timeline": [
                     *         {
                     *           "step": 0,
                     *           "at": "2026-11-01T10:00:00.000Z",
                     *           "recordedAt": "2026-11-01T10:00:00.000Z",
                     *           "type": "CustomerCreated",
                     *           "summary": "Customer simulated was created through the API.",
                     *           "access": {
                     *             "before": {},
                     *             "after": {}
                     *           }
                     *         },
                     *         {
                     *           "step": 0,
                     *           "at": "2026-11-01T10:00:00.000Z",
                     *           "recordedAt": "2026-11-01T10:00:00.000Z",
                     *           "type": "SubscriptionStarted",
                     *           "summary": "Subscribed to com.example.stargazer.pro.month (paid, an unknown price) until 2026-12-01 10:00 UTC.",
                     *           "access": {
                     *             "before": {},
                     *             "after": {
                     *               "pro": "2026-12-01T10:00:00.000Z"
                     *             }
                     *           }
                     *         },
                     *         {
                     *           "step": 1,
                     *           "at": "2026-11-05T10:00:00.000Z",
                     *           "recordedAt": "2026-11-05T10:00:00.000Z",
                     *           "type": "TransactionRefunded",
                     *           "summary": "Transaction simulated_1 was refunded (an unknown price), which ended its purchase.",
                     *           "access": {
                     *             "before": {
                     *               "pro": "2026-12-01T10:00:00.000Z"
                     *             },
                     *             "after": {}
                     *           }
                     *         },
                     *         {
                     *           "step": 1,
                     *           "at": "2026-11-05T10:00:00.000Z",
                     *           "recordedAt": "2026-11-05T10:00:00.000Z",
                     *           "type": "SubscriptionExpired",
                     *           "summary": "The subscription to com.example.stargazer.pro.month ended (customer support; reported by the store).",
                     *           "access": {
                     *             "before": {},
                     *             "after": {}
                     *           }
                     *         }
                     *       ],
                     *       "access": [
                     *         {
                     *           "lookupKey": "pro",
                     *           "from": "2026-11-01T10:00:00.000Z",
                     *           "until": "2026-11-05T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "webhooks": [
                     *         {
                     *           "type": "INITIAL_PURCHASE",
                     *           "at": "2026-11-01T10:00:00.000Z",
                     *           "body": {
                     *             "apiVersion": "1.0",
                     *             "event": {
                     *               "id": "whe_simulated_2_1",
                     *               "type": "INITIAL_PURCHASE",
                     *               "projectId": "proj_01m1e34thrvetvggrrhzg38y99",
                     *               "eventTimestampMs": 1793527200000,
                     *               "sequence": 1,
                     *               "appUserId": "simulated",
                     *               "originalAppUserId": "simulated",
                     *               "aliases": [
                     *                 "simulated"
                     *               ],
                     *               "subscriberAttributes": {},
                     *               "experiments": [],
                     *               "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *               "environment": "PRODUCTION",
                     *               "store": "ios-store",
                     *               "productId": "prod_01m1e351cgj9qhvd2ykta871v4",
                     *               "storeProductId": "com.example.stargazer.pro.month",
                     *               "entitlementIds": [
                     *                 "pro"
                     *               ],
                     *               "presentedOfferingId": null,
                     *               "transactionId": "simulated_1",
                     *               "originalTransactionId": "simulated",
                     *               "countryCode": null,
                     *               "isFamilyShare": false,
                     *               "subscriptionId": "sub_simulated_1",
                     *               "periodType": "NORMAL",
                     *               "purchasedAtMs": 1793527200000,
                     *               "expirationAtMs": 1796119200000,
                     *               "renewalNumber": 0,
                     *               "price": null,
                     *               "currency": null,
                     *               "priceInPurchasedCurrency": null,
                     *               "taxPercentage": 0,
                     *               "commissionPercentage": 0.15,
                     *               "offerCode": null
                     *             }
                     *           }
                     *         },
                     *         {
                     *           "type": "ENTITLEMENT_CHANGED",
                     *           "at": "2026-11-01T10:00:00.000Z",
                     *           "body": {
                     *             "apiVersion": "1.0",
                     *             "event": {
                     *               "id": "whe_simulated_2_2",
                     *               "type": "ENTITLEMENT_CHANGED",
                     *               "projectId": "proj_01m1e34thrvetvggrrhzg38y99",
                     *               "eventTimestampMs": 1793527200000,
                     *               "sequence": 1,
                     *               "appUserId": "simulated",
                     *               "originalAppUserId": "simulated",
                     *               "aliases": [
                     *                 "simulated"
                     *               ],
                     *               "subscriberAttributes": {},
                     *               "experiments": [],
                     *               "activeEntitlements": {
                     *                 "pro": {
                     *                   "expiresAtMs": 1796119200000,
                     *                   "productId": "prod_01m1e351cgj9qhvd2ykta871v4",
                     *                   "store": "ios-store"
                     *                 }
                     *               },
                     *               "added": [
                     *                 "pro"
                     *               ],
                     *               "removed": []
                     *             }
                     *           }
                     *         },
                     *         {
                     *           "type": "CANCELLATION",
                     *           "at": "2026-11-05T10:00:00.000Z",
                     *           "body": {
                     *             "apiVersion": "1.0",
                     *             "event": {
                     *               "id": "whe_simulated_3_1",
                     *               "type": "CANCELLATION",
                     *               "projectId": "proj_01m1e34thrvetvggrrhzg38y99",
                     *               "eventTimestampMs": 1793872800000,
                     *               "sequence": 2,
                     *               "appUserId": "simulated",
                     *               "originalAppUserId": "simulated",
                     *               "aliases": [
                     *                 "simulated"
                     *               ],
                     *               "subscriberAttributes": {},
                     *               "experiments": [],
                     *               "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *               "environment": "PRODUCTION",
                     *               "store": "ios-store",
                     *               "productId": "prod_01m1e351cgj9qhvd2ykta871v4",
                     *               "storeProductId": "com.example.stargazer.pro.month",
                     *               "entitlementIds": [
                     *                 "pro"
                     *               ],
                     *               "presentedOfferingId": null,
                     *               "transactionId": "simulated_1",
                     *               "originalTransactionId": "simulated",
                     *               "countryCode": null,
                     *               "isFamilyShare": false,
                     *               "subscriptionId": "sub_simulated_1",
                     *               "periodType": "NORMAL",
                     *               "purchasedAtMs": 1793527200000,
                     *               "expirationAtMs": 1793872800000,
                     *               "renewalNumber": 0,
                     *               "price": null,
                     *               "currency": null,
                     *               "priceInPurchasedCurrency": null,
                     *               "taxPercentage": 0,
                     *               "commissionPercentage": 0.15,
                     *               "cancelReason": "CUSTOMER_SUPPORT"
                     *             }
                     *           }
                     *         },
                     *         {
                     *           "type": "REFUND",
                     *           "at": "2026-11-05T10:00:00.000Z",
                     *           "body": {
                     *             "apiVersion": "1.0",
                     *             "event": {
                     *               "id": "whe_simulated_3_2",
                     *               "type": "REFUND",
                     *               "projectId": "proj_01m1e34thrvetvggrrhzg38y99",
                     *               "eventTimestampMs": 1793872800000,
                     *               "sequence": 2,
                     *               "appUserId": "simulated",
                     *               "originalAppUserId": "simulated",
                     *               "aliases": [
                     *                 "simulated"
                     *               ],
                     *               "subscriberAttributes": {},
                     *               "experiments": [],
                     *               "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *               "environment": "PRODUCTION",
                     *               "store": "ios-store",
                     *               "productId": "prod_01m1e351cgj9qhvd2ykta871v4",
                     *               "storeProductId": "com.example.stargazer.pro.month",
                     *               "entitlementIds": [
                     *                 "pro"
                     *               ],
                     *               "presentedOfferingId": null,
                     *               "transactionId": "simulated_1",
                     *               "originalTransactionId": "simulated",
                     *               "countryCode": null,
                     *               "isFamilyShare": false,
                     *               "subscriptionId": "sub_simulated_1",
                     *               "periodType": "NORMAL",
                     *               "purchasedAtMs": 1793527200000,
                     *               "expirationAtMs": 1793872800000,
                     *               "renewalNumber": 0,
                     *               "price": 0,
                     *               "currency": null,
                     *               "priceInPurchasedCurrency": 0,
                     *               "taxPercentage": null,
                     *               "commissionPercentage": null
                     *             }
                     *           }
                     *         },
                     *         {
                     *           "type": "EXPIRATION",
                     *           "at": "2026-11-05T10:00:00.000Z",
                     *           "body": {
                     *             "apiVersion": "1.0",
                     *             "event": {
                     *               "id": "whe_simulated_4_1",
                     *               "type": "EXPIRATION",
                     *               "projectId": "proj_01m1e34thrvetvggrrhzg38y99",
                     *               "eventTimestampMs": 1793872800000,
                     *               "sequence": 3,
                     *               "appUserId": "simulated",
                     *               "originalAppUserId": "simulated",
                     *               "aliases": [
                     *                 "simulated"
                     *               ],
                     *               "subscriberAttributes": {},
                     *               "experiments": [],
                     *               "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *               "environment": "PRODUCTION",
                     *               "store": "ios-store",
                     *               "productId": "prod_01m1e351cgj9qhvd2ykta871v4",
                     *               "storeProductId": "com.example.stargazer.pro.month",
                     *               "entitlementIds": [
                     *                 "pro"
                     *               ],
                     *               "presentedOfferingId": null,
                     *               "transactionId": "simulated_1",
                     *               "originalTransactionId": "simulated",
                     *               "countryCode": null,
                     *               "isFamilyShare": false,
                     *               "subscriptionId": "sub_simulated_1",
                     *               "periodType": "NORMAL",
                     *               "purchasedAtMs": 1793527200000,
                     *               "expirationAtMs": 1793872800000,
                     *               "renewalNumber": 0,
                     *               "price": 0,
                     *               "currency": null,
                     *               "priceInPurchasedCurrency": 0,
                     *               "taxPercentage": null,
                     *               "commissionPercentage": null,
                     *               "expirationReason": "CUSTOMER_SUPPORT"
                     *             }
                     *           }
                     *         },
                     *         {
                     *           "type": "ENTITLEMENT_CHANGED",
                     *           "at": "2026-11-05T10:00:00.000Z",
                     *           "body": {
                     *             "apiVersion": "1.0",
                     *             "event": {
                     *               "id": "whe_simulated_4_2",
                     *               "type": "ENTITLEMENT_CHANGED",
                     *               "projectId": "proj_01m1e34thrvetvggrrhzg38y99",
                     *               "eventTimestampMs": 1793872800000,
                     *               "sequence": 3,
                     *               "appUserId": "simulated",
                     *               "originalAppUserId": "simulated",
                     *               "aliases": [
                     *                 "simulated"
                     *               ],
                     *               "subscriberAttributes": {},
                     *               "experiments": [],
                     *               "activeEntitlements": {},
                     *               "added": [],
                     *               "removed": [
                     *                 "pro"
                     *               ]
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "charts": [
                     *         {
                     *           "id": "actives",
                     *           "name": "Active Subscriptions",
                     *           "interval": "month",
                     *           "buckets": []
                     *         },
                     *         {
                     *           "id": "mrr",
                     *           "name": "Monthly Recurring Revenue",
                     *           "interval": "month",
                     *           "buckets": []
                     *         },
                     *         {
                     *           "id": "revenue",
                     *           "name": "Revenue",
                     *           "interval": "month",
                     *           "buckets": [
                     *             {
                     *               "start": "2026-11-01T00:00:00.000Z",
                     *               "values": {
                     *                 "revenue": 0,
                     *                 "new_revenue": 0,
                     *                 "renewal_revenue": 0,
                     *                 "gross_revenue": 0,
                     *                 "refunds": 0,
                     *                 "tax": 0,
                     *                 "commission": 0,
                     *                 "proceeds": 0,
                     *                 "transactions": 1,
                     *                 "unconverted_transactions": 1
                     *               }
                     *             }
                     *           ]
                     *         },
                     *         {
                     *           "id": "trials",
                     *           "name": "Active Trials",
                     *           "interval": "month",
                     *           "buckets": []
                     *         }
                     *       ],
                     *       "until": "2026-11-05T10:00:00.000Z",
                     *       "notes": []
                     *     }
                     */
                    "application/json": components["schemas"]["Simulation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTargetingRules: {
        parameters: {
            query?: {
                asOf?: string;
                limit?: number;
                startingAfter?: string;
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [
                     *         {
                     *           "object": "targetingRule",
                     *           "id": "tr_01m7w6ca2r1tpkqa537thvhgtc",
                     *           "name": "Yearly first in Germany",
                     *           "isActive": true,
                     *           "conditions": [
                     *             {
                     *               "kind": "country",
                     *               "operator": "in",
                     *               "values": [
                     *                 "DE",
                     *                 "AT"
                     *               ]
                     *             },
                     *             {
                     *               "kind": "subscriber",
                     *               "value": false
                     *             }
                     *           ],
                     *           "offeringId": "ofr_01m1e35c48hxtwbhadkqnx9sfg",
                     *           "placements": [
                     *             {
                     *               "placementId": "plc_01m7w6c8488h3nd85w6hp3fe9r",
                     *               "offeringId": null
                     *             }
                     *           ],
                     *           "revision": 1,
                     *           "position": 0,
                     *           "createdAt": "2026-11-20T10:00:07.000Z",
                     *           "updatedAt": "2026-11-20T10:00:07.000Z"
                     *         }
                     *       ],
                     *       "nextPage": null,
                     *       "url": "/v1/projects/proj_01m1e34thrvetvggrrhzg38y99/targeting-rules"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["TargetingRule"][];
                        /** @description Path and query of the next page; null on the last one. */
                        nextPage: string | null;
                        /** @constant */
                        object: "list";
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createTargetingRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Winter sale in Germany",
                 *       "conditions": [
                 *         {
                 *           "kind": "country",
                 *           "operator": "in",
                 *           "values": [
                 *             "DE",
                 *             "AT"
                 *           ]
                 *         },
                 *         {
                 *           "kind": "subscriber",
                 *           "value": false
                 *         }
                 *       ],
                 *       "offeringId": "winter",
                 *       "placements": [
                 *         {
                 *           "placementId": "onboarding_end",
                 *           "offeringId": null
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateTargetingRuleBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "targetingRule",
                     *       "id": "tr_01m7w6ca2r1tpkqa537thvhgtc",
                     *       "name": "Yearly first in Germany",
                     *       "isActive": true,
                     *       "conditions": [
                     *         {
                     *           "kind": "country",
                     *           "operator": "in",
                     *           "values": [
                     *             "DE",
                     *             "AT"
                     *           ]
                     *         },
                     *         {
                     *           "kind": "subscriber",
                     *           "value": false
                     *         }
                     *       ],
                     *       "offeringId": "ofr_01m1e35c48hxtwbhadkqnx9sfg",
                     *       "placements": [
                     *         {
                     *           "placementId": "plc_01m7w6c8488h3nd85w6hp3fe9r",
                     *           "offeringId": null
                     *         }
                     *       ],
                     *       "revision": 1,
                     *       "position": 0,
                     *       "createdAt": "2026-11-20T10:00:07.000Z",
                     *       "updatedAt": "2026-11-20T10:00:07.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["TargetingRule"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteTargetingRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Targeting rule id (`tr_…`). */
                ruleId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "targetingRule",
                     *       "id": "tr_01m7w6ca2r1tpkqa537thvhgtc",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        deleted: true;
                        id: string;
                        /** @constant */
                        object: "targetingRule";
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateTargetingRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Targeting rule id (`tr_…`). */
                ruleId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "position": 0
                 *     }
                 */
                "application/json": components["schemas"]["UpdateTargetingRuleBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "targetingRule",
                     *       "id": "tr_01m7w6ca2r1tpkqa537thvhgtc",
                     *       "name": "Yearly first in Germany",
                     *       "isActive": true,
                     *       "conditions": [
                     *         {
                     *           "kind": "country",
                     *           "operator": "in",
                     *           "values": [
                     *             "DE",
                     *             "AT"
                     *           ]
                     *         },
                     *         {
                     *           "kind": "subscriber",
                     *           "value": false
                     *         }
                     *       ],
                     *       "offeringId": "ofr_01m1e35c48hxtwbhadkqnx9sfg",
                     *       "placements": [
                     *         {
                     *           "placementId": "plc_01m7w6c8488h3nd85w6hp3fe9r",
                     *           "offeringId": null
                     *         }
                     *       ],
                     *       "revision": 1,
                     *       "position": 0,
                     *       "createdAt": "2026-11-20T10:00:07.000Z",
                     *       "updatedAt": "2026-11-20T10:00:07.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["TargetingRule"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTransactions: {
        parameters: {
            query?: {
                environment?: "production" | "sandbox";
                kind?: "purchase" | "renewal" | "refund";
                limit?: number;
                since?: string;
                startingAfter?: string;
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [
                     *         {
                     *           "object": "transaction",
                     *           "id": "test_01m7w6d6d0wf29bkjm1548qzya",
                     *           "kind": "renewal",
                     *           "at": "2026-11-20T10:00:36.000Z",
                     *           "customerId": "cus_7menc52sytrkrrvdcjv3vt1bn3",
                     *           "appUserId": "erin",
                     *           "subscriptionId": "sub_2yr3dvxssbjgv10mbyx68hbg37",
                     *           "appId": "app_01m7w6d0hg6b7e3ra2f22qvhdw",
                     *           "store": "test-store",
                     *           "environment": "sandbox",
                     *           "storeProductId": "pro_monthly",
                     *           "periodType": "normal",
                     *           "quantity": 1,
                     *           "country": null,
                     *           "amount": 9.99,
                     *           "currency": "USD",
                     *           "amountUsd": 9.99,
                     *           "refundedUsd": 0
                     *         },
                     *         {
                     *           "object": "transaction",
                     *           "id": "test_1795168835000_df6134f8-ed67-58f1-a0f0-dfaa71ec24fb",
                     *           "kind": "purchase",
                     *           "at": "2026-11-20T10:00:35.000Z",
                     *           "customerId": "cus_fnebcpv6zfc0ypy3x0jnc34jmq",
                     *           "appUserId": "frida",
                     *           "subscriptionId": "sub_chk3h5zzc5s8fa5334t2k7y5bc",
                     *           "appId": "app_01m7w6d0hg6b7e3ra2f22qvhdw",
                     *           "store": "test-store",
                     *           "environment": "sandbox",
                     *           "storeProductId": "pro_monthly",
                     *           "periodType": "normal",
                     *           "quantity": 1,
                     *           "country": null,
                     *           "amount": 9.99,
                     *           "currency": "USD",
                     *           "amountUsd": 9.99,
                     *           "refundedUsd": 0
                     *         }
                     *       ],
                     *       "nextPage": null,
                     *       "url": "/v1/projects/proj_01m1e34thrvetvggrrhzg38y99/transactions"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["MoneyEntry"][];
                        /** @description Path and query of the next page; null on the last one. */
                        nextPage: string | null;
                        /** @constant */
                        object: "list";
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTransaction: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Transaction ID of the store. */
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "transaction",
                     *       "id": "2000000123456789",
                     *       "purchasedAt": "2026-09-02T08:15:00.000Z",
                     *       "expiresAt": "2026-10-02T08:15:00.000Z",
                     *       "amount": 9.99,
                     *       "currency": "USD",
                     *       "amountUsd": 9.99,
                     *       "refundedAt": null,
                     *       "type": "normal",
                     *       "customer": {
                     *         "id": "cus_txz8hs5cq162pz7g310v8j6dt8",
                     *         "appUserId": "alice"
                     *       },
                     *       "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *       "store": "ios-store",
                     *       "storeProductId": "com.example.stargazer.pro.month",
                     *       "environment": "production",
                     *       "quantity": 1,
                     *       "subscriptionId": "sub_f6ahsra1mzchbf5d7pxm651rd5",
                     *       "originalTransactionId": "2000000123456789",
                     *       "refundedUsd": 0,
                     *       "refundReversedAt": null,
                     *       "settlement": null,
                     *       "events": [
                     *         {
                     *           "object": "timelineEntry",
                     *           "id": "dfa0209f-6f2c-5007-acc7-5d2d15992c28",
                     *           "at": "2026-09-02T08:15:00.000Z",
                     *           "recordedAt": "2026-09-02T08:15:01.000Z",
                     *           "type": "SubscriptionStarted",
                     *           "summary": "Subscribed to com.example.stargazer.pro.month (paid, 9.99 USD) until 2026-10-02 08:15 UTC.",
                     *           "actor": {
                     *             "kind": "api_key",
                     *             "id": "key_01m1e35h0gcqw8s4h6dk3q575b",
                     *             "name": "iOS app"
                     *           },
                     *           "cause": {
                     *             "request": {
                     *               "id": "req_01m1gjz2w82e58drrcyjp7jn19"
                     *             }
                     *           },
                     *           "deliveries": [],
                     *           "access": {
                     *             "before": {},
                     *             "after": {
                     *               "pro": "2026-10-02T08:15:00.000Z"
                     *             }
                     *           },
                     *           "superseded": false,
                     *           "data": {
                     *             "purchase": {
                     *               "subscriptionId": "sub_f6ahsra1mzchbf5d7pxm651rd5",
                     *               "transactionId": "2000000123456789",
                     *               "originalTransactionId": "2000000123456789",
                     *               "storeChainId": "2000000123456789",
                     *               "store": "ios-store",
                     *               "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *               "productId": "prod_01m1e351cgj9qhvd2ykta871v4",
                     *               "storeProductId": "com.example.stargazer.pro.month",
                     *               "environment": "production",
                     *               "ownership": "purchased",
                     *               "country": "DE",
                     *               "offeringId": null,
                     *               "placementId": null
                     *             },
                     *             "storeTime": null,
                     *             "startReason": "first_purchase",
                     *             "previousSubscriptionId": null,
                     *             "periodType": "normal",
                     *             "periodDuration": "P1M",
                     *             "productDuration": "P1M",
                     *             "purchasedAt": "2026-09-02T08:15:00.000Z",
                     *             "expiresAt": "2026-10-02T08:15:00.000Z",
                     *             "money": {
                     *               "currency": "USD",
                     *               "amountMicros": 9990000,
                     *               "usdMicros": 9990000,
                     *               "fxRate": "1",
                     *               "fxDate": null,
                     *               "taxRate": 0,
                     *               "commissionRate": 0.15
                     *             },
                     *             "offer": {
                     *               "offerType": null,
                     *               "offerId": null,
                     *               "discountType": null
                     *             }
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TransactionDetail"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    actAsTestStoreOnPurchase: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Transaction ID of the store. */
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "action": "renew"
                 *     }
                 */
                "application/json": components["schemas"]["ActAsTestStoreOnPurchaseBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "test_action",
                     *       "customer": {
                     *         "object": "customer",
                     *         "id": "cus_7menc52sytrkrrvdcjv3vt1bn3",
                     *         "appUserId": "erin",
                     *         "aliases": [],
                     *         "firstSeenAt": "2026-11-20T10:00:34.000Z",
                     *         "lastSeenAt": "2026-11-20T10:00:34.000Z",
                     *         "country": null,
                     *         "platform": null,
                     *         "status": "active",
                     *         "activeEntitlements": [],
                     *         "totalSpentUsd": 0,
                     *         "attributes": {},
                     *         "entitlements": [],
                     *         "subscriptions": [
                     *           {
                     *             "object": "subscription",
                     *             "id": "sub_2yr3dvxssbjgv10mbyx68hbg37",
                     *             "productId": "prod_01m7w6d2g0jsr6yghpybnwd8jh",
                     *             "storeProductId": "pro_monthly",
                     *             "store": "test-store",
                     *             "environment": "sandbox",
                     *             "state": "active",
                     *             "givesAccess": true,
                     *             "autoRenewStatus": "will_renew",
                     *             "periodType": "normal",
                     *             "startedAt": "2026-11-20T10:00:00.000Z",
                     *             "currentPeriodStartsAt": "2026-11-20T10:00:36.000Z",
                     *             "currentPeriodEndsAt": "2026-12-20T10:00:36.000Z",
                     *             "accessEndsAt": "2026-12-20T10:00:36.000Z",
                     *             "commitmentEndsAt": null,
                     *             "gracePeriodExpiresAt": null,
                     *             "autoResumeAt": null,
                     *             "unsubscribedAt": null,
                     *             "billingIssueDetectedAt": null,
                     *             "refundedAt": null,
                     *             "expirationReason": null,
                     *             "pendingProductId": null,
                     *             "ownership": "purchased",
                     *             "originalTransactionId": "test_1795168800000_0b5b2e0a-6f0e-4c8e-9a53-3e0f6d1c2b4a",
                     *             "latestTransactionId": "test_01m7w6d6d0wf29bkjm1548qzya",
                     *             "renewalNumber": 1,
                     *             "totalRevenueUsd": {
                     *               "gross": 19.98,
                     *               "tax": 0,
                     *               "commission": 0,
                     *               "proceeds": 19.98
                     *             },
                     *             "transactions": [
                     *               {
                     *                 "object": "transaction",
                     *                 "id": "test_1795168800000_0b5b2e0a-6f0e-4c8e-9a53-3e0f6d1c2b4a",
                     *                 "periodType": "normal",
                     *                 "purchasedAt": "2026-11-20T10:00:00.000Z",
                     *                 "expiresAt": "2026-12-20T10:00:00.000Z",
                     *                 "amount": 9.99,
                     *                 "currency": "USD",
                     *                 "amountUsd": 9.99,
                     *                 "refundedAt": null
                     *               },
                     *               {
                     *                 "object": "transaction",
                     *                 "id": "test_01m7w6d6d0wf29bkjm1548qzya",
                     *                 "periodType": "normal",
                     *                 "purchasedAt": "2026-11-20T10:00:36.000Z",
                     *                 "expiresAt": "2026-12-20T10:00:36.000Z",
                     *                 "amount": 9.99,
                     *                 "currency": "USD",
                     *                 "amountUsd": 9.99,
                     *                 "refundedAt": null
                     *               }
                     *             ]
                     *           }
                     *         ],
                     *         "purchases": [],
                     *         "promotionalGrants": [],
                     *         "experiments": [
                     *           {
                     *             "experimentId": "exp_01m1e35ky82g1zcst778jj9z4m",
                     *             "variantId": "var_01m1e35mxgkzrg878za455gjpb",
                     *             "variantName": "as it is",
                     *             "offeringId": "ofr_01m1e357804fbkv0zrhh7az7td",
                     *             "enrolledAt": "2026-11-20T10:00:34.000Z"
                     *           }
                     *         ]
                     *       },
                     *       "changed": [
                     *         {
                     *           "object": "timelineEntry",
                     *           "id": "0df67574-169e-525a-af39-99e4e22c4faa",
                     *           "at": "2026-11-20T10:00:36.000Z",
                     *           "recordedAt": "2026-11-20T10:00:36.000Z",
                     *           "type": "SubscriptionRenewed",
                     *           "summary": "Renewal 1 of pro_monthly for 9.99 USD until 2026-12-20 10:00 UTC.",
                     *           "actor": {
                     *             "kind": "user",
                     *             "id": "usr_01m1e34rk824ed3rrvxdvkdqjm",
                     *             "name": "Ada"
                     *           },
                     *           "cause": {
                     *             "request": {
                     *               "id": "req_01m7w6d6d0874t24jef4dvt391"
                     *             }
                     *           },
                     *           "deliveries": [
                     *             {
                     *               "id": "del_f18wxj45pczzpv021b52ayy7pb",
                     *               "webhookId": "wh_01m1e35jz0kkzgb24t43vsr5er",
                     *               "eventId": "whe_68gtakx9hqmv2hykepmbxgt965",
                     *               "type": "RENEWAL",
                     *               "state": "pending"
                     *             }
                     *           ],
                     *           "access": {
                     *             "before": {},
                     *             "after": {}
                     *           },
                     *           "superseded": false,
                     *           "data": {
                     *             "purchase": {
                     *               "subscriptionId": "sub_2yr3dvxssbjgv10mbyx68hbg37",
                     *               "transactionId": "test_01m7w6d6d0wf29bkjm1548qzya",
                     *               "originalTransactionId": "test_1795168800000_0b5b2e0a-6f0e-4c8e-9a53-3e0f6d1c2b4a",
                     *               "storeChainId": "test_1795168800000_0b5b2e0a-6f0e-4c8e-9a53-3e0f6d1c2b4a",
                     *               "store": "test-store",
                     *               "appId": "app_01m7w6d0hg6b7e3ra2f22qvhdw",
                     *               "productId": "prod_01m7w6d2g0jsr6yghpybnwd8jh",
                     *               "storeProductId": "pro_monthly",
                     *               "environment": "sandbox",
                     *               "ownership": "purchased",
                     *               "country": null,
                     *               "offeringId": null,
                     *               "placementId": null
                     *             },
                     *             "storeTime": "2026-11-20T10:00:36.000Z",
                     *             "isTrialConversion": false,
                     *             "renewalNumber": 1,
                     *             "recoveredFrom": null,
                     *             "periodType": "normal",
                     *             "periodDuration": "P1M",
                     *             "productDuration": "P1M",
                     *             "purchasedAt": "2026-11-20T10:00:36.000Z",
                     *             "expiresAt": "2026-12-20T10:00:36.000Z",
                     *             "money": {
                     *               "currency": "USD",
                     *               "amountMicros": 9990000,
                     *               "usdMicros": 9990000,
                     *               "fxRate": "1",
                     *               "fxDate": null,
                     *               "taxRate": 0,
                     *               "commissionRate": 0
                     *             },
                     *             "offer": {
                     *               "offerType": null,
                     *               "offerId": null,
                     *               "discountType": null
                     *             }
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TestAction"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listYourChartViewsAndSharedOnes: {
        parameters: {
            query?: {
                limit?: number;
                startingAfter?: string;
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [
                     *         {
                     *           "object": "view",
                     *           "id": "view_01m7w6cjw0bg9sj1aqfgbfh3bh",
                     *           "name": "MRR by store",
                     *           "query": {
                     *             "chartId": "mrr",
                     *             "environment": "production",
                     *             "period": "last_12_months",
                     *             "segment": "store",
                     *             "segmentLimit": "10",
                     *             "currency": "USD",
                     *             "revenueType": "revenue",
                     *             "statusMeasure": "actives",
                     *             "productDuration": "P1M",
                     *             "cohort": "new_customers",
                     *             "cohortMeasure": "revenue"
                     *           },
                     *           "pageQuery": "",
                     *           "isShared": false,
                     *           "isOnOverview": false,
                     *           "isOwn": true,
                     *           "createdAt": "2026-11-20T10:00:16.000Z"
                     *         }
                     *       ],
                     *       "nextPage": null,
                     *       "url": "/v1/projects/proj_01m1e34thrvetvggrrhzg38y99/views"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["ChartView"][];
                        /** @description Path and query of the next page; null on the last one. */
                        nextPage: string | null;
                        /** @constant */
                        object: "list";
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    saveChartView: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "MRR by store",
                 *       "query": {
                 *         "chartId": "mrr",
                 *         "period": "last_12_months",
                 *         "interval": "month"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SaveChartViewBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "view",
                     *       "id": "view_01m7w6cjw0bg9sj1aqfgbfh3bh",
                     *       "name": "MRR by store",
                     *       "query": {
                     *         "chartId": "mrr",
                     *         "environment": "production",
                     *         "period": "last_12_months",
                     *         "segment": "store",
                     *         "segmentLimit": "10",
                     *         "currency": "USD",
                     *         "revenueType": "revenue",
                     *         "statusMeasure": "actives",
                     *         "productDuration": "P1M",
                     *         "cohort": "new_customers",
                     *         "cohortMeasure": "revenue"
                     *       },
                     *       "pageQuery": "",
                     *       "isShared": false,
                     *       "isOnOverview": false,
                     *       "isOwn": true,
                     *       "createdAt": "2026-11-20T10:00:16.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ChartView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteChartView: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description View id (`view_…`). */
                viewId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "view",
                     *       "id": "view_01m7w6cjw0bg9sj1aqfgbfh3bh",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        deleted: true;
                        id: string;
                        /** @constant */
                        object: "view";
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    renameOrShareChartView: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description View id (`view_…`). */
                viewId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenameOrShareChartViewBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "view",
                     *       "id": "view_01m7w6cjw0bg9sj1aqfgbfh3bh",
                     *       "name": "MRR by store",
                     *       "query": {
                     *         "chartId": "mrr",
                     *         "environment": "production",
                     *         "period": "last_12_months",
                     *         "segment": "store",
                     *         "segmentLimit": "10",
                     *         "currency": "USD",
                     *         "revenueType": "revenue",
                     *         "statusMeasure": "actives",
                     *         "productDuration": "P1M",
                     *         "cohort": "new_customers",
                     *         "cohortMeasure": "revenue"
                     *       },
                     *       "pageQuery": "",
                     *       "isShared": true,
                     *       "isOnOverview": true,
                     *       "isOwn": true,
                     *       "createdAt": "2026-11-20T10:00:16.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ChartView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                limit?: number;
                startingAfter?: string;
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [
                     *         {
                     *           "object": "webhook",
                     *           "id": "wh_01m1e35jz0kkzgb24t43vsr5er",
                     *           "projectId": "proj_01m1e34thrvetvggrrhzg38y99",
                     *           "name": "backend",
                     *           "url": "https://hooks.example.com/subledger",
                     *           "eventTypes": null,
                     *           "appId": null,
                     *           "environment": null,
                     *           "payloadFormat": "camelCase",
                     *           "ordered": true,
                     *           "enabled": true,
                     *           "disabledReason": null,
                     *           "secretPreview": "whsec_…LCG0",
                     *           "hasAuthorizationHeader": false,
                     *           "lastDelivery": {
                     *             "at": "2026-11-20T10:00:11.000Z",
                     *             "status": 200
                     *           },
                     *           "stats24h": {
                     *             "delivered": 2,
                     *             "failed": 0
                     *           },
                     *           "createdAt": "2026-09-01T09:00:28.000Z",
                     *           "updatedAt": "2026-11-20T10:00:11.000Z"
                     *         }
                     *       ],
                     *       "nextPage": null,
                     *       "url": "/v1/projects/proj_01m1e34thrvetvggrrhzg38y99/webhooks"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Webhook"][];
                        /** @description Path and query of the next page; null on the last one. */
                        nextPage: string | null;
                        /** @constant */
                        object: "list";
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "webhook",
                     *       "id": "wh_01m1e35jz0kkzgb24t43vsr5er",
                     *       "projectId": "proj_01m1e34thrvetvggrrhzg38y99",
                     *       "name": "backend",
                     *       "url": "https://hooks.example.com/subledger",
                     *       "eventTypes": null,
                     *       "appId": null,
                     *       "environment": null,
                     *       "payloadFormat": "camelCase",
                     *       "ordered": true,
                     *       "enabled": true,
                     *       "disabledReason": null,
                     *       "secretPreview": "whsec_…tAT=",
                     *       "hasAuthorizationHeader": false,
                     *       "lastDelivery": null,
                     *       "stats24h": {
                     *         "delivered": 0,
                     *         "failed": 0
                     *       },
                     *       "createdAt": "2026-09-01T09:00:28.000Z",
                     *       "updatedAt": "2026-09-01T09:00:28.000Z",
                     *       "secret": "whsec_f34sa0HCD0yB08NPVzfI8jhM6ClnbdayF3G2YPyHtAT="
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebhookDetails: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Webhook id (`wh_…`). */
                wid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "webhook",
                     *       "id": "wh_01m1e35jz0kkzgb24t43vsr5er",
                     *       "projectId": "proj_01m1e34thrvetvggrrhzg38y99",
                     *       "name": "backend",
                     *       "url": "https://hooks.example.com/subledger",
                     *       "eventTypes": null,
                     *       "appId": null,
                     *       "environment": null,
                     *       "payloadFormat": "camelCase",
                     *       "ordered": true,
                     *       "enabled": true,
                     *       "disabledReason": null,
                     *       "secretPreview": "whsec_…LCG0",
                     *       "hasAuthorizationHeader": false,
                     *       "lastDelivery": {
                     *         "at": "2026-11-20T10:00:11.000Z",
                     *         "status": 200
                     *       },
                     *       "stats24h": {
                     *         "delivered": 2,
                     *         "failed": 0
                     *       },
                     *       "createdAt": "2026-09-01T09:00:28.000Z",
                     *       "updatedAt": "2026-11-20T10:00:11.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Webhook id (`wh_…`). */
                wid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "webhook",
                     *       "id": "wh_01m1e35jz0kkzgb24t43vsr5er",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        deleted: true;
                        id: string;
                        /** @constant */
                        object: "webhook";
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Webhook id (`wh_…`). */
                wid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "webhook",
                     *       "id": "wh_01m1e35jz0kkzgb24t43vsr5er",
                     *       "projectId": "proj_01m1e34thrvetvggrrhzg38y99",
                     *       "name": "backend",
                     *       "url": "https://hooks.example.com/subledger",
                     *       "eventTypes": null,
                     *       "appId": null,
                     *       "environment": null,
                     *       "payloadFormat": "camelCase",
                     *       "ordered": true,
                     *       "enabled": true,
                     *       "disabledReason": null,
                     *       "secretPreview": "whsec_…qrK=",
                     *       "hasAuthorizationHeader": false,
                     *       "lastDelivery": {
                     *         "at": "2026-11-20T07:12:40.000Z",
                     *         "status": 200
                     *       },
                     *       "stats24h": {
                     *         "delivered": 1,
                     *         "failed": 0
                     *       },
                     *       "createdAt": "2026-09-01T09:00:28.000Z",
                     *       "updatedAt": "2026-11-20T10:00:11.000Z",
                     *       "secret": "whsec_aVm434uWPW4y9ehu8gSaNOIBrh6CLjsioQsAUQMdqrK="
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listDeliveriesOfWebhook: {
        parameters: {
            query?: {
                appUserId?: string;
                from?: string;
                limit?: number;
                startingAfter?: string;
                state?: "pending" | "delivered" | "failed" | "held";
                to?: string;
                type?: "TEST" | "TRANSFER" | "SUBSCRIBER_ALIAS" | "INITIAL_PURCHASE" | "RENEWAL" | "NON_RENEWING_PURCHASE" | "TEMPORARY_ENTITLEMENT_GRANT" | "PRODUCT_CHANGE" | "BILLING_ISSUE" | "CANCELLATION" | "UNCANCELLATION" | "SUBSCRIPTION_PAUSED" | "SUBSCRIPTION_EXTENDED" | "EXPIRATION" | "REFUND" | "REFUND_REVERSED" | "PRICE_CORRECTED" | "PRICE_INCREASE_CONSENT_REQUIRED" | "PRICE_INCREASE_CONSENT_APPROVED" | "EXPERIMENT_ENROLLMENT" | "ENTITLEMENT_CHANGED" | "BOOKS_MONTH_COMPLETE" | "BOOKS_LINE_MISSING_HERE" | "FIGURE_OUT_OF_BAND" | "INVOICE_ISSUANCE" | "VIRTUAL_CURRENCY_TRANSACTION" | "PURCHASE_REDEEMED" | "PAYWALL_IMPRESSION" | "PAYWALL_CLOSE" | "PAYWALL_CANCEL" | "PAYWALL_EXIT_OFFER" | "PAYWALL_COMPONENT_INTERACTED";
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Webhook id (`wh_…`). */
                wid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [
                     *         {
                     *           "object": "delivery",
                     *           "id": "del_nbwfbhrftsvd2thz1sccybn0yx",
                     *           "eventId": "whe_phfhd34mx5hbkkeyz66vqvfn7h",
                     *           "type": "RENEWAL",
                     *           "appUserId": "alice",
                     *           "state": "delivered",
                     *           "attempts": [
                     *             {
                     *               "at": "2026-11-02T08:09:43.000Z",
                     *               "ms": 38,
                     *               "status": 200,
                     *               "errorCode": null,
                     *               "responseSnippet": null
                     *             }
                     *           ],
                     *           "nextAttemptAt": null,
                     *           "createdAt": "2026-11-02T08:09:43.000Z"
                     *         }
                     *       ],
                     *       "nextPage": null,
                     *       "url": "/v1/projects/proj_01m1e34thrvetvggrrhzg38y99/webhooks/wh_01m1e35jz0kkzgb24t43vsr5er/deliveries"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Delivery"][];
                        /** @description Path and query of the next page; null on the last one. */
                        nextPage: string | null;
                        /** @constant */
                        object: "list";
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDeliveryWithItsBodyAndAttempts: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Delivery id (`del_…`). */
                did: string;
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Webhook id (`wh_…`). */
                wid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "delivery",
                     *       "id": "del_nbwfbhrftsvd2thz1sccybn0yx",
                     *       "eventId": "whe_phfhd34mx5hbkkeyz66vqvfn7h",
                     *       "type": "RENEWAL",
                     *       "appUserId": "alice",
                     *       "state": "delivered",
                     *       "attempts": [
                     *         {
                     *           "at": "2026-11-02T08:09:43.000Z",
                     *           "ms": 38,
                     *           "status": 200,
                     *           "errorCode": null,
                     *           "responseSnippet": null
                     *         }
                     *       ],
                     *       "nextAttemptAt": null,
                     *       "createdAt": "2026-11-02T08:09:43.000Z",
                     *       "body": "{\"apiVersion\":\"1.0\",\"event\":{\"id\":\"whe_phfhd34mx5hbkkeyz66vqvfn7h\",\"type\":\"RENEWAL\",\"projectId\":\"proj_01m1e34thrvetvggrrhzg38y99\",\"eventTimestampMs\":1793607300000,\"sequence\":7,\"appUserId\":\"alice\",\"originalAppUserId\":\"alice\",\"aliases\":[\"alice\"],\"subscriberAttributes\":{\"$locale\":{\"value\":\"de\",\"updatedAtMs\":1788336871000},\"$email\":{\"value\":\"alice@example.com\",\"updatedAtMs\":1788336905000},\"favouriteFood\":{\"value\":\"pizza\",\"updatedAtMs\":1788336905000}},\"experiments\":[{\"experimentId\":\"exp_01m1e35ky82g1zcst778jj9z4m\",\"experimentVariant\":\"var_01m1e35nwrn0wqse9njyw4ffp2\",\"enrolledAtMs\":1788336872000}],\"appId\":\"app_01m1e34vh0355004ctz5a08x5m\",\"environment\":\"PRODUCTION\",\"store\":\"ios-store\",\"productId\":\"prod_01m1e351cgj9qhvd2ykta871v4\",\"storeProductId\":\"com.example.stargazer.pro.month\",\"entitlementIds\":[\"pro\"],\"presentedOfferingId\":null,\"transactionId\":\"2000000123470001\",\"originalTransactionId\":\"2000000123456789\",\"countryCode\":\"DE\",\"isFamilyShare\":false,\"subscriptionId\":\"sub_f6ahsra1mzchbf5d7pxm651rd5\",\"periodType\":\"NORMAL\",\"purchasedAtMs\":1793607300000,\"expirationAtMs\":1796199300000,\"renewalNumber\":2,\"price\":9.99,\"currency\":\"USD\",\"priceInPurchasedCurrency\":9.99,\"taxPercentage\":0,\"commissionPercentage\":0.15,\"offerCode\":null,\"isTrialConversion\":false}}",
                     *       "contentType": "application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["DeliveryDetail"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Delivery id (`del_…`). */
                did: string;
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Webhook id (`wh_…`). */
                wid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RedeliverWebhookBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "delivery",
                     *       "id": "del_nbwfbhrftsvd2thz1sccybn0yx",
                     *       "eventId": "whe_phfhd34mx5hbkkeyz66vqvfn7h",
                     *       "type": "RENEWAL",
                     *       "appUserId": "alice",
                     *       "state": "pending",
                     *       "attempts": [
                     *         {
                     *           "at": "2026-11-02T08:09:43.000Z",
                     *           "ms": 38,
                     *           "status": 200,
                     *           "errorCode": null,
                     *           "responseSnippet": null
                     *         }
                     *       ],
                     *       "nextAttemptAt": "2026-11-20T10:00:12.000Z",
                     *       "createdAt": "2026-11-02T08:09:43.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listExampleEventsOfWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Webhook id (`wh_…`). */
                wid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-read-position": components["headers"]["ReadPosition"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [
                     *         {
                     *           "object": "webhookExample",
                     *           "type": "TEST",
                     *           "body": "{\"apiVersion\":\"1.0\",\"event\":{\"id\":\"whe_example_test\",\"type\":\"TEST\",\"projectId\":\"proj_01m1e34thrvetvggrrhzg38y99\",\"eventTimestampMs\":1795168809000}}"
                     *         },
                     *         {
                     *           "object": "webhookExample",
                     *           "type": "TRANSFER",
                     *           "body": "{\"apiVersion\":\"1.0\",\"event\":{\"id\":\"whe_example_transfer\",\"type\":\"TRANSFER\",\"projectId\":\"proj_01m1e34thrvetvggrrhzg38y99\",\"eventTimestampMs\":1795168809000,\"sequence\":1,\"appUserId\":\"example-user\",\"originalAppUserId\":\"example-user\",\"aliases\":[\"example-user\"],\"subscriberAttributes\":{},\"experiments\":[],\"transferredFrom\":[\"example-user-before\"],\"transferredTo\":[\"example-user\"],\"isExample\":true}}"
                     *         }
                     *       ],
                     *       "nextPage": null,
                     *       "url": "/v1/projects/proj_01m1e34thrvetvggrrhzg38y99/webhooks/wh_01m1e35jz0kkzgb24t43vsr5er/examples"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["WebhookExample"][];
                        /** @description Path and query of the next page; null on the last one. */
                        nextPage: string | null;
                        /** @constant */
                        object: "list";
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replayDeliveriesOfPeriod: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Webhook id (`wh_…`). */
                wid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayDeliveriesOfPeriodBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "webhookReplay",
                     *       "id": "replay_01m7w6cfy8pqvadde3hqd76v52",
                     *       "queued": 5
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookReplay"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    sendTestEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Project id (`proj_…`). */
                id: string;
                /** @description Webhook id (`wh_…`). */
                wid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SendTestEventBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "delivery",
                     *       "id": "del_m97bvcfe6ygv568c97adm0390n",
                     *       "eventId": "whe_dcgsgg7jc37pqsr6acve5jcq83",
                     *       "type": "TEST",
                     *       "appUserId": null,
                     *       "state": "pending",
                     *       "attempts": [],
                     *       "nextAttemptAt": "2026-11-20T10:00:10.000Z",
                     *       "createdAt": "2026-11-20T10:00:10.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    receiverForAndroidStoreServerToServerNotifications: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The last part of the app’s `notificationUrl`. */
                token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReceiverForAndroidStoreServerToServerNotificationsBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {} */
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    receiveIosStoreNotification: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The last part of the app’s `notificationUrl`. */
                token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "signedPayload": "eyJhbGciOiJFUzI1NiIsIng1YyI6…"
                 *     }
                 */
                "application/json": components["schemas"]["ReceiveIosStoreNotificationBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {} */
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSubscriberInfo: {
        parameters: {
            query?: {
                asOf?: string;
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
                /** @description The project, for requests of users. API keys belong to one project and do not need it. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description App user ID: 1 to 255 characters, no slash. */
                appUserId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "requestDate": "2026-11-20T10:00:29.000Z",
                     *       "subscriber": {
                     *         "appUserId": "alice",
                     *         "originalAppUserId": "alice",
                     *         "firstSeenAt": "2026-09-02T08:14:31.000Z",
                     *         "lastSeenAt": "2026-09-02T08:14:31.000Z",
                     *         "managementUrl": "https://apps.apple.com/account/subscriptions",
                     *         "entitlements": {
                     *           "pro": {
                     *             "isActive": true,
                     *             "expiresAt": "2026-12-02T08:15:00.000Z",
                     *             "gracePeriodExpiresAt": null,
                     *             "purchasedAt": "2026-09-02T08:15:00.000Z",
                     *             "productId": "prod_01m1e351cgj9qhvd2ykta871v4",
                     *             "storeProductId": "com.example.stargazer.pro.month",
                     *             "store": "ios-store",
                     *             "periodType": "normal",
                     *             "willRenew": true,
                     *             "isSandbox": false,
                     *             "ownershipType": "purchased"
                     *           }
                     *         },
                     *         "subscriptions": {
                     *           "com.example.stargazer.pro.month": {
                     *             "id": "sub_f6ahsra1mzchbf5d7pxm651rd5",
                     *             "state": "active",
                     *             "givesAccess": true,
                     *             "store": "ios-store",
                     *             "isSandbox": false,
                     *             "ownershipType": "purchased",
                     *             "periodType": "normal",
                     *             "purchasedAt": "2026-11-02T08:15:00.000Z",
                     *             "originalPurchasedAt": "2026-09-02T08:15:00.000Z",
                     *             "expiresAt": "2026-12-02T08:15:00.000Z",
                     *             "gracePeriodExpiresAt": null,
                     *             "unsubscribeDetectedAt": null,
                     *             "billingIssuesDetectedAt": null,
                     *             "refundedAt": null,
                     *             "autoResumeAt": null
                     *           }
                     *         },
                     *         "nonSubscriptions": {}
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SubscriberResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createOrUpdateSubscriber: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The project, for requests of users. API keys belong to one project and do not need it. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description App user ID: 1 to 255 characters, no slash. */
                appUserId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "platform": "ios",
                 *       "appVersion": "2.1",
                 *       "country": "DE",
                 *       "attributes": {
                 *         "favouriteFood": "pizza"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateOrUpdateSubscriberBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "requestDate": "2026-09-02T08:14:32.000Z",
                     *       "subscriber": {
                     *         "appUserId": "alice",
                     *         "originalAppUserId": "alice",
                     *         "firstSeenAt": "2026-09-02T08:14:31.000Z",
                     *         "lastSeenAt": "2026-09-02T08:14:31.000Z",
                     *         "managementUrl": null,
                     *         "entitlements": {},
                     *         "subscriptions": {},
                     *         "nonSubscriptions": {}
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SubscriberResponse"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "requestDate": "2026-09-10T17:40:01.000Z",
                     *       "subscriber": {
                     *         "appUserId": "carol",
                     *         "originalAppUserId": "carol",
                     *         "firstSeenAt": "2026-09-10T17:40:01.000Z",
                     *         "lastSeenAt": "2026-09-10T17:40:01.000Z",
                     *         "managementUrl": null,
                     *         "entitlements": {},
                     *         "subscriptions": {},
                     *         "nonSubscriptions": {}
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SubscriberResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    eraseSubscriber: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project, for requests of users. API keys belong to one project and do not need it. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description App user ID: 1 to 255 characters, no slash. */
                appUserId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "customer",
                     *       "id": "cus_bvzz19hcfm4ezby7wkjkrpfqp2",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        deleted: true;
                        id: string;
                        /** @constant */
                        object: "customer";
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    setCustomAttributes: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The project, for requests of users. API keys belong to one project and do not need it. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description App user ID: 1 to 255 characters, no slash. */
                appUserId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "attributes": {
                 *         "favouriteFood": "pizza",
                 *         "$email": "ann@example.com",
                 *         "old": null
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SetCustomAttributesBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "requestDate": "2026-09-02T08:15:05.000Z",
                     *       "subscriber": {
                     *         "appUserId": "alice",
                     *         "originalAppUserId": "alice",
                     *         "firstSeenAt": "2026-09-02T08:14:31.000Z",
                     *         "lastSeenAt": "2026-09-02T08:14:31.000Z",
                     *         "managementUrl": "https://apps.apple.com/account/subscriptions",
                     *         "entitlements": {
                     *           "pro": {
                     *             "isActive": true,
                     *             "expiresAt": "2026-10-02T08:15:00.000Z",
                     *             "gracePeriodExpiresAt": null,
                     *             "purchasedAt": "2026-09-02T08:15:00.000Z",
                     *             "productId": "prod_01m1e351cgj9qhvd2ykta871v4",
                     *             "storeProductId": "com.example.stargazer.pro.month",
                     *             "store": "ios-store",
                     *             "periodType": "normal",
                     *             "willRenew": true,
                     *             "isSandbox": false,
                     *             "ownershipType": "purchased"
                     *           }
                     *         },
                     *         "subscriptions": {
                     *           "com.example.stargazer.pro.month": {
                     *             "id": "sub_f6ahsra1mzchbf5d7pxm651rd5",
                     *             "state": "active",
                     *             "givesAccess": true,
                     *             "store": "ios-store",
                     *             "isSandbox": false,
                     *             "ownershipType": "purchased",
                     *             "periodType": "normal",
                     *             "purchasedAt": "2026-09-02T08:15:00.000Z",
                     *             "originalPurchasedAt": "2026-09-02T08:15:00.000Z",
                     *             "expiresAt": "2026-10-02T08:15:00.000Z",
                     *             "gracePeriodExpiresAt": null,
                     *             "unsubscribeDetectedAt": null,
                     *             "billingIssuesDetectedAt": null,
                     *             "refundedAt": null,
                     *             "autoResumeAt": null
                     *           }
                     *         },
                     *         "nonSubscriptions": {},
                     *         "attributes": {
                     *           "$locale": {
                     *             "value": "de",
                     *             "updatedAt": "2026-09-02T08:14:31.000Z"
                     *           },
                     *           "$email": {
                     *             "value": "alice@example.com",
                     *             "updatedAt": "2026-09-02T08:15:05.000Z"
                     *           },
                     *           "favouriteFood": {
                     *             "value": "pizza",
                     *             "updatedAt": "2026-09-02T08:15:05.000Z"
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SubscriberResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    grantPromotionalEntitlement: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The project, for requests of users. API keys belong to one project and do not need it. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description App user ID: 1 to 255 characters, no slash. */
                appUserId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "entitlementId": "pro",
                 *       "duration": "weekly"
                 *     }
                 */
                "application/json": components["schemas"]["GrantPromotionalEntitlementBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "requestDate": "2026-11-20T10:00:28.000Z",
                     *       "subscriber": {
                     *         "appUserId": "dora",
                     *         "originalAppUserId": "dora",
                     *         "firstSeenAt": "2026-11-20T10:00:26.000Z",
                     *         "lastSeenAt": "2026-11-20T10:00:26.000Z",
                     *         "managementUrl": null,
                     *         "entitlements": {
                     *           "pro": {
                     *             "isActive": true,
                     *             "expiresAt": "2026-11-27T10:00:28.000Z",
                     *             "gracePeriodExpiresAt": null,
                     *             "purchasedAt": "2026-11-20T10:00:28.000Z",
                     *             "productId": null,
                     *             "storeProductId": null,
                     *             "store": "promotional",
                     *             "periodType": "promotional",
                     *             "willRenew": false,
                     *             "isSandbox": false,
                     *             "ownershipType": "purchased"
                     *           }
                     *         },
                     *         "subscriptions": {
                     *           "com.example.stargazer.pro.month": {
                     *             "id": "sub_t9x4qky7zwc9er9d1445jfcqh7",
                     *             "state": "expired",
                     *             "givesAccess": false,
                     *             "store": "ios-store",
                     *             "isSandbox": false,
                     *             "ownershipType": "purchased",
                     *             "periodType": "normal",
                     *             "purchasedAt": "2026-09-10T17:40:00.000Z",
                     *             "originalPurchasedAt": "2026-09-10T17:40:00.000Z",
                     *             "expiresAt": "2026-10-10T17:40:00.000Z",
                     *             "gracePeriodExpiresAt": null,
                     *             "unsubscribeDetectedAt": null,
                     *             "billingIssuesDetectedAt": null,
                     *             "refundedAt": null,
                     *             "autoResumeAt": null
                     *           }
                     *         },
                     *         "nonSubscriptions": {},
                     *         "attributes": {}
                     *       },
                     *       "grant": {
                     *         "object": "grant",
                     *         "id": "grant_01m7w6cyk0pe6ay7qqdv9d2xk5",
                     *         "entitlementId": "ent_01m1e3559gt24pw1mgrr7eq4ch",
                     *         "lookupKey": "pro",
                     *         "startsAt": "2026-11-20T10:00:28.000Z",
                     *         "expiresAt": "2026-11-27T10:00:28.000Z",
                     *         "endedAt": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["GrantResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokePromotionalEntitlement: {
        parameters: {
            query?: never;
            header?: {
                /** @description The project, for requests of users. API keys belong to one project and do not need it. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description App user ID: 1 to 255 characters, no slash. */
                appUserId: string;
                /** @description Entitlement, by id (`ent_…`) or `lookupKey`. */
                eid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "requestDate": "2026-11-20T10:00:29.000Z",
                     *       "subscriber": {
                     *         "appUserId": "dora",
                     *         "originalAppUserId": "dora",
                     *         "firstSeenAt": "2026-11-20T10:00:26.000Z",
                     *         "lastSeenAt": "2026-11-20T10:00:26.000Z",
                     *         "managementUrl": null,
                     *         "entitlements": {
                     *           "pro": {
                     *             "isActive": false,
                     *             "expiresAt": "2026-11-20T10:00:29.000Z",
                     *             "gracePeriodExpiresAt": null,
                     *             "purchasedAt": "2026-11-20T10:00:28.000Z",
                     *             "productId": null,
                     *             "storeProductId": null,
                     *             "store": "promotional",
                     *             "periodType": "promotional",
                     *             "willRenew": false,
                     *             "isSandbox": false,
                     *             "ownershipType": "purchased"
                     *           }
                     *         },
                     *         "subscriptions": {
                     *           "com.example.stargazer.pro.month": {
                     *             "id": "sub_t9x4qky7zwc9er9d1445jfcqh7",
                     *             "state": "expired",
                     *             "givesAccess": false,
                     *             "store": "ios-store",
                     *             "isSandbox": false,
                     *             "ownershipType": "purchased",
                     *             "periodType": "normal",
                     *             "purchasedAt": "2026-09-10T17:40:00.000Z",
                     *             "originalPurchasedAt": "2026-09-10T17:40:00.000Z",
                     *             "expiresAt": "2026-10-10T17:40:00.000Z",
                     *             "gracePeriodExpiresAt": null,
                     *             "unsubscribeDetectedAt": null,
                     *             "billingIssuesDetectedAt": null,
                     *             "refundedAt": null,
                     *             "autoResumeAt": null
                     *           }
                     *         },
                     *         "nonSubscriptions": {},
                     *         "attributes": {}
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SubscriberResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getOfferingsForSubscriber: {
        parameters: {
            query?: {
                currentOnly?: "true" | "false";
            };
            header?: {
                /** @description The `x-position` of an earlier response: this request waits until that write is visible. */
                "X-Position"?: components["parameters"]["Position"];
                /** @description The project, for requests of users. API keys belong to one project and do not need it. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description App user ID: 1 to 255 characters, no slash. */
                appUserId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "currentOfferingId": "yearly-first",
                     *       "offerings": [
                     *         {
                     *           "id": "ofr_01m1e35c48hxtwbhadkqnx9sfg",
                     *           "lookupKey": "yearly-first",
                     *           "displayName": "Yearly first",
                     *           "metadata": {},
                     *           "packages": [
                     *             {
                     *               "id": "pkg_01m1e35d3g2ytq8j9gdht8mggt",
                     *               "lookupKey": "$annual",
                     *               "packageType": "annual",
                     *               "displayName": "Yearly",
                     *               "products": [
                     *                 {
                     *                   "id": "prod_01m1e350d8mgtbsaqea3k7vwrg",
                     *                   "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *                   "storeProductId": "com.example.stargazer.pro.year",
                     *                   "store": "ios-store",
                     *                   "type": "subscription",
                     *                   "duration": "P1Y"
                     *                 }
                     *               ]
                     *             }
                     *           ]
                     *         },
                     *         {
                     *           "id": "ofr_01m1e357804fbkv0zrhh7az7td",
                     *           "lookupKey": "default",
                     *           "displayName": "Default",
                     *           "metadata": {
                     *             "accent": "gold"
                     *           },
                     *           "packages": [
                     *             {
                     *               "id": "pkg_01m1e35878w83zaptac8gxm21e",
                     *               "lookupKey": "$annual",
                     *               "packageType": "annual",
                     *               "displayName": "Yearly",
                     *               "products": [
                     *                 {
                     *                   "id": "prod_01m1e350d8mgtbsaqea3k7vwrg",
                     *                   "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *                   "storeProductId": "com.example.stargazer.pro.year",
                     *                   "store": "ios-store",
                     *                   "type": "subscription",
                     *                   "duration": "P1Y"
                     *                 }
                     *               ]
                     *             },
                     *             {
                     *               "id": "pkg_01m1e35a5rk3wr9x16an796d12",
                     *               "lookupKey": "$monthly",
                     *               "packageType": "monthly",
                     *               "displayName": "Monthly",
                     *               "products": [
                     *                 {
                     *                   "id": "prod_01m1e351cgj9qhvd2ykta871v4",
                     *                   "appId": "app_01m1e34vh0355004ctz5a08x5m",
                     *                   "storeProductId": "com.example.stargazer.pro.month",
                     *                   "store": "ios-store",
                     *                   "type": "subscription",
                     *                   "duration": "P1M"
                     *                 }
                     *               ]
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "placements": {
                     *         "fallbackOfferingId": "yearly-first",
                     *         "offeringIdsByPlacement": {}
                     *       },
                     *       "targeting": null,
                     *       "experiment": {
                     *         "id": "exp_01m1e35ky82g1zcst778jj9z4m",
                     *         "variantId": "var_01m1e35nwrn0wqse9njyw4ffp2"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The `lookupKey` of the current offering. */
                        currentOfferingId: string | null;
                        /** @description The experiment whose variant is shown, if any. */
                        experiment: {
                            id: string;
                            variantId: string;
                        } | null;
                        offerings: components["schemas"]["SdkOffering"][];
                        /** @description The offering at each placement, both by `lookupKey`; null: show nothing. A placement that is not listed shows `fallbackOfferingId`. */
                        placements: {
                            fallbackOfferingId: string | null;
                            offeringIdsByPlacement: {
                                [key: string]: string | null;
                            };
                        };
                        /** @description The targeting rule that chose, if any. */
                        targeting: {
                            revision: number;
                            ruleId: string;
                        } | null;
                    } | {
                        /** @description The experiment whose variant is shown, if any. */
                        experiment: {
                            id: string;
                            variantId: string;
                        } | null;
                        offering: components["schemas"]["SdkOffering"] | null;
                        /** @description The targeting rule that chose, if any. */
                        targeting: {
                            revision: number;
                            ruleId: string;
                        } | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    submitStoreReceipt: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any unique text. The same request with the same key within 24 hours is executed once and gets the same response. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The project, for requests of users. API keys belong to one project and do not need it. */
                "X-Project-Id"?: components["parameters"]["ProjectId"];
            };
            path: {
                /** @description App user ID: 1 to 255 characters, no slash. */
                appUserId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "store": "ios-store",
                 *       "receipt": "eyJhbGciOiJFUzI1NiIsIng1YyI6…"
                 *     }
                 */
                "application/json": components["schemas"]["SubmitStoreReceiptBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "requestDate": "2026-09-10T17:40:02.000Z",
                     *       "subscriber": {
                     *         "appUserId": "carol",
                     *         "originalAppUserId": "carol",
                     *         "firstSeenAt": "2026-09-10T17:40:00.000Z",
                     *         "lastSeenAt": "2026-09-10T17:40:01.000Z",
                     *         "managementUrl": "https://apps.apple.com/account/subscriptions",
                     *         "entitlements": {
                     *           "pro": {
                     *             "isActive": true,
                     *             "expiresAt": "2026-10-10T17:40:00.000Z",
                     *             "gracePeriodExpiresAt": null,
                     *             "purchasedAt": "2026-09-10T17:40:00.000Z",
                     *             "productId": "prod_01m1e351cgj9qhvd2ykta871v4",
                     *             "storeProductId": "com.example.stargazer.pro.month",
                     *             "store": "ios-store",
                     *             "periodType": "normal",
                     *             "willRenew": true,
                     *             "isSandbox": false,
                     *             "ownershipType": "purchased"
                     *           }
                     *         },
                     *         "subscriptions": {
                     *           "com.example.stargazer.pro.month": {
                     *             "id": "sub_t9x4qky7zwc9er9d1445jfcqh7",
                     *             "state": "active",
                     *             "givesAccess": true,
                     *             "store": "ios-store",
                     *             "isSandbox": false,
                     *             "ownershipType": "purchased",
                     *             "periodType": "normal",
                     *             "purchasedAt": "2026-09-10T17:40:00.000Z",
                     *             "originalPurchasedAt": "2026-09-10T17:40:00.000Z",
                     *             "expiresAt": "2026-10-10T17:40:00.000Z",
                     *             "gracePeriodExpiresAt": null,
                     *             "unsubscribeDetectedAt": null,
                     *             "billingIssuesDetectedAt": null,
                     *             "refundedAt": null,
                     *             "autoResumeAt": null
                     *           }
                     *         },
                     *         "nonSubscriptions": {}
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ReceiptResponse"];
                };
            };
            /** @description Accepted for later processing; the response says what is missing. */
            202: {
                headers: {
                    "x-position": components["headers"]["Position"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "requestDate": "2026-09-18T06:30:06.000Z",
                     *       "subscriber": {
                     *         "appUserId": "ben",
                     *         "originalAppUserId": "ben",
                     *         "firstSeenAt": "2026-09-18T06:30:06.000Z",
                     *         "lastSeenAt": "2026-09-18T06:30:06.000Z",
                     *         "managementUrl": null,
                     *         "entitlements": {},
                     *         "subscriptions": {},
                     *         "nonSubscriptions": {},
                     *         "attributes": {}
                     *       },
                     *       "pending": {
                     *         "reason": "credentials_missing",
                     *         "message": "the receipt is stored and will be processed once the app has store credentials: POST …/apps/:appId/credentials/android-store"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ReceiptResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
}
