//! Enumerations whose members have a code: a word that is written in data and that users can look up.

/// Declares an enumeration with the code of each member, so that the codes are listed only once.
macro_rules! coded {
    ($(#[$about:meta])* pub enum $name:ident { $($(#[$meaning:meta])* $member:ident = $code:literal,)+ }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $name {
            $($(#[$meaning])* $member,)+
        }

        impl $name {
            /// Every member, in the order of declaration.
            pub const ALL: [Self; [$($code),+].len()] = [$(Self::$member),+];

            /// The code of every member, in the same order.
            pub const CODES: [&'static str; Self::ALL.len()] = [$($code),+];

            /// The code that is written in data and that users can look up.
            #[must_use]
            pub const fn code(self) -> &'static str {
                Self::CODES[self as usize]
            }

            /// Returns the member with this code.
            #[must_use]
            pub fn of(code: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|member| member.code() == code)
            }
        }
    };
}

pub(crate) use coded;
