//! What commands and evaluations have in common, for surfaces that treat them alike.

use std::sync::Arc;
use std::time::Duration;

use wisp_api::{Evaluation, Outcome, Outputs};

use crate::command::CommandHandle;
use crate::error::ServiceError;
use crate::evaluation::EvaluationHandle;

/// Something that was started in a session and goes on by itself: a command, or an evaluation. The calls are those of its handle.
pub trait Work: Clone + Send + Sync + 'static {
    /// What it comes to.
    type Result: Send + Sync;

    /// Waits for its end, for at most this time; `None` if it has not ended then.
    ///
    /// # Errors
    /// If it has no result.
    fn wait(&self, time: Option<Duration>) -> impl Future<Output = Result<Option<Arc<Self::Result>>, ServiceError>> + Send;

    /// Reads both outputs after these offsets, at most `limit` bytes of each. Waits for at most `wait` until there is a byte or the end.
    ///
    /// # Errors
    /// If its session is closed.
    fn outputs(&self, stdout: u64, stderr: u64, limit: u64, wait: Duration) -> impl Future<Output = Result<Outputs, ServiceError>> + Send;

    /// Interrupts it, as Ctrl-C does.
    ///
    /// # Errors
    /// If its session is closed.
    fn interrupt(&self) -> Result<(), ServiceError>;

    /// Ends it by force.
    ///
    /// # Errors
    /// If its session is closed.
    fn kill(&self) -> Result<(), ServiceError>;
}

macro_rules! work {
    ($handle:ty, $result:ty) => {
        impl Work for $handle {
            type Result = $result;

            async fn wait(&self, time: Option<Duration>) -> Result<Option<Arc<$result>>, ServiceError> {
                Self::wait(self, time).await
            }

            async fn outputs(&self, stdout: u64, stderr: u64, limit: u64, wait: Duration) -> Result<Outputs, ServiceError> {
                Self::outputs(self, stdout, stderr, limit, wait).await
            }

            fn interrupt(&self) -> Result<(), ServiceError> {
                Self::interrupt(self)
            }

            fn kill(&self) -> Result<(), ServiceError> {
                Self::kill(self)
            }
        }
    };
}

work!(CommandHandle, Outcome);
work!(EvaluationHandle, Evaluation);
