//! One call of a primitive on 16-byte values.

use batt_core::{Array, Cx, Val};
use batt_lang::{Op, for_each_op};

macro_rules! calls {
    ($(
        #[doc = $doc:literal]
        $name:ident $variant:ident ( $($arg:ident : $kind:ty),* ) -> $result:ty, $role:ident, $example:literal
        $(, on $guard:ident)* $(, also $alias:ident)* ;
    )*) => {
        /// Calls a primitive that runs no functions; others are handed back.
        pub fn call(op: Op, cx: Cx, args: &[Val]) -> Val {
            #[allow(non_snake_case)]
            match op {
                $(Op::$variant => calls!(@one $role $name cx args ($($arg),*)),)*
            }
        }
    };
    (@one pure $name:ident $cx:ident $args:ident ($($arg:ident),*)) => {
        {
            // Primitives are inlined; apart, their frames do not add up.
            #[inline(never)]
            fn one(cx: Cx, args: &[Val]) -> Val {
                match args {
                    [$($arg),*] => batt_core::ops::$name::<Array>(cx, $(*$arg),*),
                    _ => Val::BACK,
                }
            }
            one($cx, $args)
        }
    };
    (@one makes $name:ident $cx:ident $args:ident ($($arg:ident),*)) => {
        calls!(@one pure $name $cx $args ($($arg),*))
    };
    (@one runs $name:ident $cx:ident $args:ident ($($arg:ident),*)) => { Val::BACK };
}
for_each_op!(calls);
