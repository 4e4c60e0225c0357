//! Requests that a surface makes with a session's network.

use wisp::{HttpRequest, HttpResponse};

use crate::error::ServiceError;
use crate::session::SessionHandle;

impl SessionHandle {
    /// Makes a request with the session's network, as a process of it could, and waits for the head of the response: the policy's rules
    /// decide, and each attempt has a receipt. Dropping the future or the response ends the request.
    ///
    /// # Errors
    /// If the session is closed, it is no request, the policy refuses it, or the server does not answer.
    pub async fn http(&self, request: HttpRequest) -> Result<HttpResponse, ServiceError> {
        let call = self.call()?;
        let sent = {
            // Its connection belongs to the service's runtime, whoever waits for it.
            let _entered = self.service.runtime().handle().enter();
            call.session().http(request)
        };
        Ok(sent.await?)
    }
}
